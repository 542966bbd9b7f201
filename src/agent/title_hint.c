/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/title_hint.h"

#include "title/title.h"

void title_hint_parse(struct span title, struct title_names *names,
	struct title_hint *ret)
{
	struct title t;

	(void)title_learn(names, title); /* either result is fine */
	title_parse_named(title, names, &t);
	*ret = (struct title_hint) {
		.has_port = t.has_port,
		.port = t.port,
		.client = t.kind == TITLE_QD || t.kind == TITLE_QE ||
		    (t.kind == TITLE_BACKEND && t.role == ROLE_CLIENT),
		.activity = !span_empty(t.activity) ||
		    t.state != TITLE_STATE_NONE,
	};
}
