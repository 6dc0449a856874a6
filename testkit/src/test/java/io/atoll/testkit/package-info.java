@NullMarked
package io.atoll.testkit;

import org.jspecify.annotations.NullMarked;
