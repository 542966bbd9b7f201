/* SPDX-License-Identifier: Apache-2.0 */
/*
 * symbols.c - reads ELF and DWARF by elfutils' libdw.
 *
 * jemalloc's variable is tsd_tls with any prefix, of struct tsd_s.  Its members
 * have names as cant_access_tsd_items_directly_use_a_getter_or_setter_
 * thread_allocated, in versions before 5 short ones.
 */
#include "heap/symbols.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <string.h>
#include <unistd.h>

#include "heap/child.h"
#include "procfs/heapline.h"
#include "sandbox/sandbox.h"

#define DEBUG_DIR "/usr/lib/debug"

#if defined(__x86_64__)
#define OWN_MACHINE EM_X86_64
#define RELOC_OFFSET R_X86_64_TPOFF64
#define RELOC_MODULE R_X86_64_DTPMOD64
#else
#define OWN_MACHINE EM_AARCH64
#define RELOC_OFFSET R_AARCH64_TLS_TPREL
#define RELOC_MODULE R_AARCH64_TLS_DTPMOD
#endif

struct search {
	Elf *elf;
	Dwfl_Module *mod;
	struct layout *l;
	bool has_mallctl, has_variable;
	uint64_t variable; /* from the block's begin */
};

static bool ends_with(const char *name, const char *end)
{
	size_t n = strlen(name), m = strlen(end);

	return n >= m && strcmp(name + n - m, end) == 0;
}

/* ---- program headers ----------------------------------------------------- */

/* False: it has no TLS, and so no counters. */
static bool read_segments(struct search *s)
{
	bool has_first = false, has_tls = false;
	size_t i, n;

	if (elf_getphdrnum(s->elf, &n) < 0)
		return false;
	for (i = 0; i < n; i++) {
		GElf_Phdr p;

		if (!gelf_getphdr(s->elf, (int)i, &p))
			return false;
		if (p.p_type == PT_LOAD && !has_first) {
			has_first = true;
			s->l->first = p.p_vaddr - p.p_offset;
		}
		if (p.p_type == PT_TLS) {
			has_tls = true;
			s->l->tls_size = p.p_memsz;
			s->l->tls_align = p.p_align ? p.p_align : 1;
			s->l->tls_first = p.p_vaddr % s->l->tls_align;
		}
	}
	return has_first && has_tls;
}

/* ---- relocations --------------------------------------------------------- */

/* The offset that a relocation against a variable of this file adds. */
static bool addend_of(Elf_Data *symbols, const GElf_Rela *r, int64_t *ret)
{
	GElf_Sym sym;

	*ret = r->r_addend;
	if (GELF_R_SYM(r->r_info) == 0)
		return true;
	if (!symbols || !gelf_getsym(symbols, (int)GELF_R_SYM(r->r_info),
	    &sym) || sym.st_shndx == SHN_UNDEF)
		return false;
	*ret += (int64_t)sym.st_value;
	return true;
}

static void take_reloc(struct search *s, Elf_Data *symbols, const GElf_Rela *r)
{
	uint64_t type = GELF_R_TYPE(r->r_info);
	struct layout *l = s->l;
	int64_t addend;

	if ((type != RELOC_OFFSET && type != RELOC_MODULE) ||
	    l->slot == SLOT_OFFSET || !addend_of(symbols, r, &addend))
		return;
	l->slot = type == RELOC_OFFSET ? SLOT_OFFSET : SLOT_MODULE;
	l->slot_at = r->r_offset;
	l->addend = addend;
}

static void read_relocs(struct search *s)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(s->elf, scn))) {
		Elf_Data *data, *symbols = NULL;
		Elf_Scn *symscn;
		GElf_Shdr head;
		GElf_Rela r;
		int i;

		if (!gelf_getshdr(scn, &head) || head.sh_type != SHT_RELA)
			continue;
		symscn = elf_getscn(s->elf, head.sh_link);
		if (symscn)
			symbols = elf_getdata(symscn, NULL);
		data = elf_getdata(scn, NULL);
		for (i = 0; data && gelf_getrela(data, i, &r); i++)
			take_reloc(s, symbols, &r);
	}
}

/* ---- symbols -------------------------------------------------------------- */

static void read_symbols(struct search *s)
{
	int i, n = dwfl_module_getsymtab(s->mod);
	GElf_Addr at;

	for (i = 1; i < n; i++) {
		GElf_Sym sym; /* as in the file: not where it would be */
		const char *name = dwfl_module_getsym_info(s->mod, i, &sym,
		    &at, NULL, NULL, NULL);

		if (!name || sym.st_shndx == SHN_UNDEF)
			continue;
		if (GELF_ST_TYPE(sym.st_info) == STT_TLS &&
		    ends_with(name, "tsd_tls")) {
			s->has_variable = true;
			s->variable = sym.st_value;
		}
		s->has_mallctl |= GELF_ST_TYPE(sym.st_info) == STT_FUNC &&
		    ends_with(name, "mallctl");
	}
}

/* ---- members -------------------------------------------------------------- */

static bool member_at(Dwarf_Die *member, uint64_t *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Word at;

	if (!dwarf_attr(member, DW_AT_data_member_location, &attr) ||
	    dwarf_formudata(&attr, &at) < 0 || at > UINT16_MAX)
		return false;
	*ret = at;
	return true;
}

/* True if both members are there. */
static bool read_members(struct search *s, Dwarf_Die *of)
{
	bool has_a = false, has_d = false;
	uint64_t at;
	Dwarf_Die m;
	int more = dwarf_child(of, &m);

	for (; more == 0; more = dwarf_siblingof(&m, &m)) {
		const char *name = dwarf_diename(&m);

		if (!name || dwarf_tag(&m) != DW_TAG_member ||
		    !member_at(&m, &at))
			continue;
		if (ends_with(name, "thread_allocated")) {
			has_a = true;
			s->l->allocated = s->variable + at;
		} else if (ends_with(name, "thread_deallocated")) {
			has_d = true;
			s->l->deallocated = s->variable + at;
		}
	}
	return has_a && has_d;
}

static bool is_in_unit(struct search *s, Dwarf_Die *unit)
{
	Dwarf_Die d;
	int more = dwarf_child(unit, &d);

	for (; more == 0; more = dwarf_siblingof(&d, &d)) {
		const char *name = dwarf_tag(&d) == DW_TAG_structure_type
			? dwarf_diename(&d) : NULL;

		if (name && strcmp(name, "tsd_s") == 0 && read_members(s, &d))
			return true;
	}
	return false;
}

static bool read_dwarf(struct search *s)
{
	Dwarf_Die *unit = NULL;
	Dwarf_Addr bias;

	while ((unit = dwfl_module_nextcu(s->mod, unit, &bias))) {
		if (is_in_unit(s, unit))
			return true;
	}
	return false;
}

/* ---- the child ------------------------------------------------------------ */

static void search(struct search *s)
{
	struct layout *l = s->l;

	if (!read_segments(s))
		return;
	read_symbols(s);
	if (!s->has_variable && !s->has_mallctl)
		return;
	read_relocs(s);
	if (s->has_variable && read_dwarf(s)) {
		l->error = 0;
		return;
	}
	l->error = HEAP_NO_SYMBOLS;
	l->uncertain = s->has_mallctl;
}

static bool is_foreign(Elf *elf)
{
	GElf_Ehdr head;

	return gelf_getehdr(elf, &head) &&
	    (gelf_getclass(elf) != ELFCLASS64 || head.e_machine != OWN_MACHINE);
}

struct job {
	int fd;
	const char *path;
};

/* It reads the open file, and what describes it. */
static void give_up_rights(const char *path)
{
	const char *slash = strrchr(path, '/');
	struct buf beside = BUF_INIT;
	struct sandbox box;

	sandbox_init(&box, "gpsnap-heap", 0);
	sandbox_add(&box, DEBUG_DIR, SANDBOX_READ, "debug symbols");
	if (slash) {
		buf_printf(&beside, "%.*s/.debug", (int)(slash - path), path);
		sandbox_add(&box, buf_str(&beside), SANDBOX_READ,
		    "debug symbols");
	}
	sandbox_enter(&box);
	sandbox_release(&box);
	buf_release(&beside);
}

/* In the child. */
static void find(void *arg, struct layout *l)
{
	static char *dirs = NULL; /* the default: beside it, and DEBUG_DIR */
	const Dwfl_Callbacks calls = {
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = dwfl_standard_find_debuginfo,
		.debuginfo_path = &dirs,
	};
	const struct job *job = arg;
	struct search s = { .l = l };
	GElf_Addr bias;
	Dwfl *dwfl;

	give_up_rights(job->path);
	l->error = HEAP_NO_JEMALLOC;
	dwfl = dwfl_begin(&calls);
	if (!dwfl)
		return;
	s.mod = dwfl_report_offline(dwfl, job->path, job->path, job->fd);
	(void)dwfl_report_end(dwfl, NULL, NULL);
	s.elf = s.mod ? dwfl_module_getelf(s.mod, &bias) : NULL;
	if (s.elf && is_foreign(s.elf))
		l->error = HEAP_FOREIGN;
	else if (s.elf)
		search(&s);
	/* the process ends: nothing is freed */
}

void symbols_find(int fd, const char *path, struct layout *ret)
{
	struct job job = { fd, path };

	if (!child_run(find, &job, ret))
		*ret = (struct layout) { .error = EIO };
}
