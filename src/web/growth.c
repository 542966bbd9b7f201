/* SPDX-License-Identifier: Apache-2.0 */
#include "web/growth.h"

#include <dirent.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/compiler.h"
#include "base/path.h"
#include "replay/recfile.h"

static void add_file(struct growth *g, const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return;
	g->files++;
	g->bytes += (uint64_t)st.st_size;
	g->changed_ns = GS_MAX(g->changed_ns, (int64_t)st.st_mtim.tv_sec *
	    GS_NSEC_PER_SEC + st.st_mtim.tv_nsec);
}

static void add_directory(struct growth *g, const char *dir)
{
	struct buf path = BUF_INIT;
	DIR *d = opendir(dir);
	struct dirent *e;

	while (d && (e = readdir(d)) != NULL) {
		if (!recfile_is_name(e->d_name))
			continue;
		recfile_path(dir, e->d_name, &path);
		add_file(g, buf_str(&path));
	}
	if (d)
		(void)closedir(d); /* was only read */
	buf_release(&path);
}

struct growth growth_of(char *const *path, size_t n)
{
	struct growth g = { 0 };
	size_t i;

	for (i = 0; i < n; i++) {
		if (path_is_directory(path[i]))
			add_directory(&g, path[i]);
		else
			add_file(&g, path[i]);
	}
	return g;
}
