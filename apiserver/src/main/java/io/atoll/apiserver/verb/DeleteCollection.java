package io.atoll.apiserver.verb;

import io.atoll.apiserver.ApiResponse;
import io.atoll.apiserver.registry.DeleteOptions;
import io.atoll.apiserver.registry.Deletion;
import io.atoll.apiserver.registry.Write;
import io.atoll.apiserver.watch.CachedObject;
import io.atoll.model.ApiException;
import io.atoll.model.StatusReason;

/** Deletes every object that a list with the same selectors shows. */
final class DeleteCollection implements Verb {
    @Override
    public ApiResponse run(Call call) {
        DeleteOptions options = Delete.options(call);
        ListPage page = ListObjects.page(call);
        Write write = Delete.write(call, options);
        for (CachedObject object : page.objects()) {
            try {
                Deletion.delete(write.in(object.namespace()), object.name(), options);
            } catch (ApiException e) {
                if (e.reason() != StatusReason.NotFound) {
                    throw e;
                }
            }
        }
        return Responses.list(call, page);
    }
}
