// Command facts derives facts.tsv from the Go sources of Kubernetes' API types: what neither the protobuf
// descriptors nor the Java client's annotations say. It is run by hand when the Kubernetes level changes:
//
//	go run facts.go SRC >../src/main/facts/facts.tsv
//
// SRC is a folder that holds k8s.io/api, k8s.io/apimachinery and k8s.io/apiextensions-apiserver.
package main

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// packages to read: import path, prefix of the definitions' names.
var packages = [][2]string{
	{"k8s.io/api/admission/v1", "io.k8s.api.admission.v1"},
	{"k8s.io/api/admissionregistration/v1", "io.k8s.api.admissionregistration.v1"},
	{"k8s.io/api/apps/v1", "io.k8s.api.apps.v1"},
	{"k8s.io/api/authentication/v1", "io.k8s.api.authentication.v1"},
	{"k8s.io/api/authorization/v1", "io.k8s.api.authorization.v1"},
	{"k8s.io/api/autoscaling/v1", "io.k8s.api.autoscaling.v1"},
	{"k8s.io/api/autoscaling/v2", "io.k8s.api.autoscaling.v2"},
	{"k8s.io/api/batch/v1", "io.k8s.api.batch.v1"},
	{"k8s.io/api/certificates/v1", "io.k8s.api.certificates.v1"},
	{"k8s.io/api/coordination/v1", "io.k8s.api.coordination.v1"},
	{"k8s.io/api/core/v1", "io.k8s.api.core.v1"},
	{"k8s.io/api/discovery/v1", "io.k8s.api.discovery.v1"},
	{"k8s.io/api/events/v1", "io.k8s.api.events.v1"},
	{"k8s.io/api/flowcontrol/v1", "io.k8s.api.flowcontrol.v1"},
	{"k8s.io/api/networking/v1", "io.k8s.api.networking.v1"},
	{"k8s.io/api/node/v1", "io.k8s.api.node.v1"},
	{"k8s.io/api/policy/v1", "io.k8s.api.policy.v1"},
	{"k8s.io/api/rbac/v1", "io.k8s.api.rbac.v1"},
	{"k8s.io/api/resource/v1", "io.k8s.api.resource.v1"},
	{"k8s.io/api/scheduling/v1", "io.k8s.api.scheduling.v1"},
	{"k8s.io/api/storage/v1", "io.k8s.api.storage.v1"},
	{"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1", "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1"},
	{"k8s.io/apimachinery/pkg/apis/meta/v1", "io.k8s.apimachinery.pkg.apis.meta.v1"},
}

// wellKnown are types of other packages that behave as one value.
var wellKnown = map[string]string{
	"resource.Quantity":    "quantity",
	"metav1.Time":          "time",
	"metav1.MicroTime":     "time",
	"metav1.Duration":      "duration",
	"v1.Time":              "time",
	"Time":                 "time",
	"MicroTime":            "time",
	"intstr.IntOrString":   "int-or-string",
	"runtime.RawExtension": "raw",
	"types.UID":            "scalar",
	"types.NodeName":       "scalar",
	"v1.ConditionStatus":   "scalar",
}

type goType struct {
	expr    ast.Expr
	markers map[string][]string
}

type pkg struct {
	prefix string
	types  map[string]goType
	consts map[string][]string // by type name
	values map[string]string   // by const name
}

func main() {
	root := os.Args[1]
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	fmt.Fprintln(out, "# Facts about Kubernetes 1.36's built-in types, derived by derive/facts.go. Do not edit.")
	fmt.Fprintln(out, "# A line without indent is a type; below it are the fields of which there is something to say.")
	for _, p := range packages {
		parsed := read(filepath.Join(root, p[0]), p[1])
		parsed.print(out)
	}
}

func read(dir, prefix string) *pkg {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		panic("no sources in " + dir)
	}
	p := &pkg{prefix, map[string]goType{}, map[string][]string{}, map[string]string{}}
	for _, name := range files {
		base := filepath.Base(name)
		if strings.HasSuffix(base, "_test.go") || strings.HasPrefix(base, "zz_") || strings.HasPrefix(base, "generated") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			panic(err)
		}
		for _, decl := range file.Decls {
			general, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range general.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					doc := s.Doc
					if doc == nil {
						doc = general.Doc
					}
					p.types[s.Name.Name] = goType{s.Type, markers(doc)}
				case *ast.ValueSpec:
					p.value(s)
				}
			}
		}
	}
	return p
}

func (p *pkg) value(s *ast.ValueSpec) {
	for i, name := range s.Names {
		if i >= len(s.Values) {
			continue
		}
		literal, ok := s.Values[i].(*ast.BasicLit)
		if !ok {
			continue
		}
		p.values[name.Name] = literal.Value
		if of, ok := s.Type.(*ast.Ident); ok && literal.Kind == token.STRING {
			text, _ := strconv.Unquote(literal.Value)
			p.consts[of.Name] = append(p.consts[of.Name], text)
		}
	}
}

var marker = regexp.MustCompile(`^\+([A-Za-z0-9:]+)(?:=(.*))?$`)

func markers(doc *ast.CommentGroup) map[string][]string {
	found := map[string][]string{}
	if doc == nil {
		return found
	}
	for _, line := range doc.List {
		text := strings.TrimSpace(strings.TrimPrefix(line.Text, "//"))
		if m := marker.FindStringSubmatch(text); m != nil {
			found[m[1]] = append(found[m[1]], m[2])
		}
	}
	return found
}

func (p *pkg) print(out *bufio.Writer) {
	names := []string{}
	for name := range p.types {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		structure, ok := p.types[name].expr.(*ast.StructType)
		if !ok || !ast.IsExported(name) {
			continue
		}
		head := []string{p.prefix + "." + name}
		if atomic(p.types[name].markers) {
			head = append(head, "map=atomic")
		}
		rows := []string{}
		for _, field := range structure.Fields.List {
			if field.Tag == nil {
				continue
			}
			text, _ := strconv.Unquote(field.Tag.Value)
			tag := reflect.StructTag(text)
			json := strings.Split(tag.Get("json"), ",")
			number, protoName := protobuf(tag)
			if len(json) > 1 && json[1] == "inline" {
				embedded := exprName(field.Type)
				if strings.HasSuffix(embedded, "TypeMeta") {
					head = append(head, "kind")
				} else if number != "" {
					head = append(head, "inline="+number+":"+p.prefix+"."+embedded)
				}
				continue
			}
			if json[0] == "" || json[0] == "-" {
				continue
			}
			if facts := p.facts(field, tag, json, protoName); len(facts) > 0 {
				rows = append(rows, "\t"+json[0]+"\t"+strings.Join(facts, "\t"))
			}
		}
		if len(head) > 1 || len(rows) > 0 {
			fmt.Fprintln(out, strings.Join(head, "\t"))
		}
		for _, row := range rows {
			fmt.Fprintln(out, row)
		}
	}
}

func atomic(m map[string][]string) bool {
	for _, key := range []string{"mapType", "structType"} {
		for _, value := range m[key] {
			if value == "atomic" {
				return true
			}
		}
	}
	return false
}

func protobuf(tag reflect.StructTag) (number, name string) {
	parts := strings.Split(tag.Get("protobuf"), ",")
	if len(parts) < 2 {
		return "", ""
	}
	for _, part := range parts {
		if strings.HasPrefix(part, "name=") {
			name = part[len("name="):]
		}
	}
	return parts[1], name
}

func exprName(e ast.Expr) string {
	switch t := e.(type) {
	case *ast.Ident:
		return t.Name
	case *ast.SelectorExpr:
		return exprName(t.X) + "." + t.Sel.Name
	case *ast.StarExpr:
		return exprName(t.X)
	}
	return ""
}

// shape tells how a Go type behaves in JSON: scalar, struct, list, or one of the well-known values.
func (p *pkg) shape(e ast.Expr) string {
	name := exprName(e)
	if known, ok := wellKnown[name]; ok {
		return known
	}
	switch t := e.(type) {
	case *ast.Ident:
		if of, ok := p.types[t.Name]; ok {
			if _, isStruct := of.expr.(*ast.StructType); isStruct {
				return "struct"
			}
			return p.shape(of.expr)
		}
		return "scalar"
	case *ast.ArrayType, *ast.MapType:
		return "list"
	case *ast.SelectorExpr:
		return "struct"
	}
	return "other"
}

func element(e ast.Expr) ast.Expr {
	switch t := e.(type) {
	case *ast.StarExpr:
		return element(t.X)
	case *ast.ArrayType:
		return element(t.Elt)
	}
	return e
}

func (p *pkg) facts(field *ast.Field, tag reflect.StructTag, json []string, protoName string) []string {
	facts := []string{}
	m := markers(field.Doc)
	options := strings.Join(json[1:], ",")
	pointer := false
	of := field.Type
	if star, ok := of.(*ast.StarExpr); ok {
		pointer = true
		of = star.X
	}
	omit := strings.Contains(options, "omitempty")
	switch p.shape(of) {
	case "scalar":
		if pointer {
			facts = append(facts, "optional")
		} else if !omit {
			facts = append(facts, "always")
		}
	case "list":
		if !omit {
			facts = append(facts, "always")
		}
	case "struct", "quantity", "int-or-string", "duration":
		if !pointer && !strings.Contains(options, "omitzero") {
			facts = append(facts, "always")
		}
	}
	if protoName != "" && protoName != json[0] {
		facts = append(facts, "proto="+protoName)
	}
	if list := m["listType"]; len(list) > 0 {
		text := "list=" + list[0]
		if keys := m["listMapKey"]; len(keys) > 0 {
			text += ":" + strings.Join(keys, ",")
		}
		facts = append(facts, text)
	}
	if atomic(m) {
		facts = append(facts, "map=atomic")
	}
	if strategy := tag.Get("patchStrategy"); strategy != "" {
		text := "patch=" + strategy
		if key := tag.Get("patchMergeKey"); key != "" {
			text += ":" + key
		}
		facts = append(facts, text)
	}
	if value := m["default"]; len(value) > 0 {
		facts = append(facts, "default="+p.constant(value[0]))
	}
	if name, ok := element(of).(*ast.Ident); ok {
		if named, ok := p.types[name.Name]; ok && len(named.markers["enum"]) > 0 {
			values := append([]string{}, p.consts[name.Name]...)
			sort.Strings(values)
			facts = append(facts, "enum="+strings.Join(values, ","))
		}
	}
	return facts
}

func (p *pkg) constant(value string) string {
	if !strings.HasPrefix(value, "ref(") {
		return value
	}
	name := strings.TrimSuffix(strings.TrimPrefix(value, "ref("), ")")
	if literal, ok := p.values[name]; ok {
		return literal
	}
	panic("unknown constant " + name)
}
