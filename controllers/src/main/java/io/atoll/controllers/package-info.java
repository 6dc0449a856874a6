/** What kube-controller-manager does, one class a controller. */
@NullMarked
package io.atoll.controllers;

import org.jspecify.annotations.NullMarked;
