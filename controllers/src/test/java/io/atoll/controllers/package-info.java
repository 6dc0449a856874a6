@NullMarked
package io.atoll.controllers;

import org.jspecify.annotations.NullMarked;
