#include "agent/hint.h"

#include "model/title.h"

void hint_title(struct span title, struct hint *ret)
{
	struct title t;

	title_parse(title, &t);
	*ret = (struct hint) {
		.has_port = t.has_port,
		.port = t.port,
		.client = t.kind == TITLE_QD || t.kind == TITLE_QE ||
		    (t.kind == TITLE_BACKEND && t.role == ROLE_CLIENT),
		.activity = !span_empty(t.activity) ||
		    t.state != TITLE_STATE_NONE,
	};
}
