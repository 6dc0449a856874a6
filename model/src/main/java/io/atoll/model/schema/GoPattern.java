package io.atoll.model.schema;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A regular expression in Go's syntax, run by Java's engine. That engine can take exponential time where Go's is
 * linear, so a match gives up after {@link #STEPS_MAX} looks at the text: tenants write these patterns. Immutable.
 */
public final class GoPattern {
    static final int STEPS_MAX = 2_000_000;

    private final String text;
    private final Pattern compiled;

    private GoPattern(String text, Pattern compiled) {
        this.text = text;
        this.compiled = compiled;
    }

    /**
     * Compiles an expression.
     *
     * @throws PatternSyntaxException when it is none
     */
    public static GoPattern compile(String text) {
        return new GoPattern(text, Pattern.compile(new Translation(text).java(), Pattern.UNIX_LINES));
    }

    /** Whether the expression occurs in the value; no, too, when that takes too long to find out. */
    boolean occursIn(String value) {
        try {
            return compiled.matcher(new Counted(value)).find();
        } catch (TooManyStepsException | StackOverflowError e) {
            // The engine calls itself once for each round of a repeated group.
            return false;
        }
    }

    /** As it was written. */
    @Override
    public String toString() {
        return text;
    }

    /** Rewrites what the two syntaxes spell differently. */
    private static final class Translation {
        private static final Pattern NAMED_GROUP = Pattern.compile("\\(\\?P?<[A-Za-z_][A-Za-z0-9_]*>");
        private static final Pattern POSIX_CLASS = Pattern.compile("\\[:(\\^?)([a-z]+):]");
        private static final Map<String, String> POSIX = Map.ofEntries(
                Map.entry("alnum", "Alnum"),
                Map.entry("alpha", "Alpha"),
                Map.entry("ascii", "ASCII"),
                Map.entry("blank", "Blank"),
                Map.entry("cntrl", "Cntrl"),
                Map.entry("digit", "Digit"),
                Map.entry("graph", "Graph"),
                Map.entry("lower", "Lower"),
                Map.entry("print", "Print"),
                Map.entry("punct", "Punct"),
                Map.entry("space", "Space"),
                Map.entry("upper", "Upper"),
                Map.entry("xdigit", "XDigit"));

        private final String go;
        private final StringBuilder java = new StringBuilder();
        private int at;

        Translation(String go) {
            this.go = go;
        }

        String java() {
            while (at < go.length()) {
                char c = go.charAt(at);
                switch (c) {
                    case '\\' -> escape();
                    case '[' -> characterClass();
                    case '(' -> group();
                    case '$' -> take(go.contains("(?m") ? "$" : "\\z", 1);
                    default -> take(String.valueOf(c), 1);
                }
            }
            return java.toString();
        }

        private void take(String text, int length) {
            java.append(text);
            at += length;
        }

        private void escape() {
            if (at + 1 < go.length() && go.charAt(at + 1) >= '1' && go.charAt(at + 1) <= '9') {
                throw new PatternSyntaxException("invalid escape sequence: `" + go.substring(at, at + 2) + "`", go, at);
            }
            int end = Math.min(at + 2, go.length());
            take(go.substring(at, end), end - at);
        }

        private void group() {
            Matcher named = NAMED_GROUP.matcher(go).region(at, go.length());
            if (named.lookingAt()) {
                take("(", named.end() - at);
                return;
            }
            for (String lookaround : List.of("(?=", "(?!", "(?<=", "(?<!", "(?>")) {
                if (go.startsWith(lookaround, at)) {
                    throw new PatternSyntaxException(
                            "invalid or unsupported Perl syntax: `" + lookaround + "`", go, at);
                }
            }
            take("(", 1);
        }

        /** A bracket inside a class is a plain character in Go, and so is {@code &&}. */
        private void characterClass() {
            take("[", 1);
            if (go.startsWith("^", at)) {
                take("^", 1);
            }
            for (boolean first = true; at < go.length(); first = false) {
                char c = go.charAt(at);
                if (c == ']' && !first) {
                    take("]", 1);
                    return;
                }
                Matcher posix = POSIX_CLASS.matcher(go).region(at, go.length());
                if (posix.lookingAt() && POSIX.containsKey(posix.group(2))) {
                    take(
                            (posix.group(1).isEmpty() ? "\\p{" : "\\P{") + POSIX.get(posix.group(2)) + "}",
                            posix.end() - at);
                } else if (c == '\\') {
                    escape();
                } else {
                    take("[]&".indexOf(c) >= 0 ? "\\" + c : String.valueOf(c), 1);
                }
            }
        }
    }

    private static final class TooManyStepsException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooManyStepsException() {
            super("too many steps", null, false, false);
        }
    }

    /** A text that counts how often it is looked at. */
    private static final class Counted implements CharSequence {
        private final CharSequence text;
        private int steps;

        Counted(CharSequence text) {
            this.text = text;
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            if (++steps > STEPS_MAX) {
                throw new TooManyStepsException();
            }
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }
}
