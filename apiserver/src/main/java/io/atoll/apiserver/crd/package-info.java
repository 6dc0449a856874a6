/** CustomResourceDefinitions: from a written definition to a served type. */
@NullMarked
package io.atoll.apiserver.crd;

import org.jspecify.annotations.NullMarked;
