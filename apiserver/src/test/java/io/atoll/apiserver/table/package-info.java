@NullMarked
package io.atoll.apiserver.table;

import org.jspecify.annotations.NullMarked;
