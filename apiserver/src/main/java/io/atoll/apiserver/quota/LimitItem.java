package io.atoll.apiserver.quota;

import io.atoll.model.Quantity;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * One item of a LimitRange with its defaults worked out. Immutable once read.
 *
 * @param type {@code Container}, {@code Pod} or {@code PersistentVolumeClaim}
 */
record LimitItem(String type, Amounts min, Amounts max, Amounts ratio, Amounts defaultLimits, Amounts defaultRequests) {

    static LimitItem of(JsonNode item) {
        Amounts min = Amounts.of(item.path("min"));
        Amounts max = Amounts.of(item.path("max"));
        Amounts limits = new Amounts();
        Amounts requests = new Amounts();
        if (item.path("type").asString("").equals("Container")) {
            limits = Amounts.of(item.path("default"));
            fillIn(limits, max);
            requests = Amounts.of(item.path("defaultRequest"));
            fillIn(requests, limits);
            fillIn(requests, min);
        }
        return new LimitItem(
                item.path("type").asString(""),
                min,
                max,
                Amounts.of(item.path("maxLimitRequestRatio")),
                limits,
                requests);
    }

    private static void fillIn(Amounts amounts, Amounts others) {
        others.values().forEach((resource, quantity) -> {
            if (!amounts.has(resource)) {
                amounts.put(resource, quantity);
            }
        });
    }

    void check(Amounts requests, Amounts limits, List<String> violations) {
        min.values().forEach((resource, bound) -> checkMin(resource, bound, requests, limits, violations));
        max.values().forEach((resource, bound) -> checkMax(resource, bound, requests, limits, violations));
        ratio.values().forEach((resource, bound) -> checkRatio(resource, bound, requests, limits, violations));
    }

    /** For claims, which have requests only. */
    void checkRequests(Amounts requests, List<String> violations) {
        min.values().forEach((resource, bound) -> checkMin(resource, bound, requests, new Amounts(), violations));
        for (Map.Entry<String, Quantity> entry : max.values().entrySet()) {
            String resource = entry.getKey();
            if (!requests.has(resource)) {
                violations.add(upper(resource, entry.getValue()) + ".  No request is specified");
            } else if (requests.get(resource).compareTo(entry.getValue()) > 0) {
                violations.add(upper(resource, entry.getValue()) + ", but request is " + requests.get(resource));
            }
        }
    }

    private void checkMin(String resource, Quantity bound, Amounts requests, Amounts limits, List<String> violations) {
        String lower = "minimum " + resource + " usage per " + type + " is " + bound;
        if (!requests.has(resource)) {
            violations.add(lower + ".  No request is specified");
        } else if (requests.get(resource).compareTo(bound) < 0) {
            violations.add(lower + ", but request is " + requests.get(resource));
        } else if (limits.has(resource) && limits.get(resource).compareTo(bound) < 0) {
            violations.add(lower + ", but limit is " + limits.get(resource));
        }
    }

    private void checkMax(String resource, Quantity bound, Amounts requests, Amounts limits, List<String> violations) {
        if (!limits.has(resource)) {
            violations.add(upper(resource, bound) + ".  No limit is specified");
        } else if (limits.get(resource).compareTo(bound) > 0) {
            violations.add(upper(resource, bound) + ", but limit is " + limits.get(resource));
        } else if (requests.get(resource).compareTo(bound) > 0) {
            violations.add(upper(resource, bound) + ", but request is " + requests.get(resource));
        }
    }

    private String upper(String resource, Quantity bound) {
        return "maximum " + resource + " usage per " + type + " is " + bound;
    }

    private void checkRatio(
            String resource, Quantity bound, Amounts requests, Amounts limits, List<String> violations) {
        String text = resource + " max limit to request ratio per " + type + " is " + bound;
        if (requests.get(resource).isZero()) {
            violations.add(text + ", but no request is specified or request is 0");
        } else if (limits.get(resource).isZero()) {
            violations.add(text + ", but no limit is specified or limit is 0");
        } else {
            var given =
                    limits.get(resource).decimal().divide(requests.get(resource).decimal(), 6, RoundingMode.HALF_EVEN);
            if (given.compareTo(bound.decimal()) > 0) {
                violations.add(text + String.format(Locale.ROOT, ", but provided ratio is %f", given));
            }
        }
    }
}
