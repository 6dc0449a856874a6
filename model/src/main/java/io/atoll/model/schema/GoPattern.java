package io.atoll.model.schema;

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
        String java = text.replace("(?P<", "(?<")
                .replace("[:alpha:]", "\\p{Alpha}")
                .replace("[:digit:]", "\\p{Digit}")
                .replace("[:alnum:]", "\\p{Alnum}")
                .replace("[:upper:]", "\\p{Upper}")
                .replace("[:lower:]", "\\p{Lower}")
                .replace("[:space:]", "\\s")
                .replace("[:punct:]", "\\p{Punct}")
                .replace("[:xdigit:]", "\\p{XDigit}")
                .replace("[:word:]", "\\w");
        return new GoPattern(text, Pattern.compile(java));
    }

    /** Whether the expression occurs in the value; no, too, when that takes too long to find out. */
    boolean occursIn(String value) {
        try {
            return compiled.matcher(new Counted(value)).find();
        } catch (TooManyStepsException e) {
            return false;
        }
    }

    /** As it was written. */
    @Override
    public String toString() {
        return text;
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
