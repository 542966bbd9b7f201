# SPDX-License-Identifier: Apache-2.0
# .deb and .rpm by CPack: gpsnap, and gpsnap-agent for hosts that need nothing
# else.  tools/package.sh builds them; paths are compiled in, so the prefix of
# the build must be /usr.
set(CPACK_PACKAGE_NAME gpsnap)
set(CPACK_PACKAGE_VENDOR "the gpsnap maintainers")
set(CPACK_PACKAGE_CONTACT "${GS_MAINTAINER}")
set(CPACK_GS_EPOCH ${GS_EPOCH})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
    "record what a database cluster's processes do, and replay it anywhere")
set(CPACK_COMPONENT_GPSNAP_DESCRIPTION
"sar for a Greenplum, Cloudberry or PostgreSQL cluster, one level deeper:
records what the kernel says about every process of every host, ties it to
sessions and queries, and keeps it in small files.")
set(CPACK_COMPONENT_AGENT_DESCRIPTION
"Samples a host for gpsnap on another one; a static program without a daemon
or a port.")
set(CPACK_COMPONENT_HEAP_DESCRIPTION
"Reads for gpsnap-agent what threads allocate by jemalloc, on the hosts where
that is wanted: it stops threads for a moment, and needs the right to trace.")
set(CPACK_COMPONENTS_ALL gpsnap agent)
if(TARGET gpsnap-heap)
    list(APPEND CPACK_COMPONENTS_ALL heap)
endif()
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_SET_DESTDIR ON) # configuration has absolute paths
set(CPACK_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/before_pack.cmake)

find_program(GS_RPMBUILD rpmbuild)
set(CPACK_GENERATOR DEB)
if(GS_RPMBUILD)
    list(APPEND CPACK_GENERATOR RPM)
endif()

set(version ${PROJECT_VERSION}-1)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION database)
set(CPACK_DEBIAN_GPSNAP_PACKAGE_NAME gpsnap)
set(CPACK_DEBIAN_GPSNAP_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_GPSNAP_PACKAGE_DEPENDS "gpsnap-agent (= ${version})")
# libpq is loaded by what asks a database, libmicrohttpd by what serves: nothing
# sees that they are used, and a laptop needs neither.
set(CPACK_DEBIAN_GPSNAP_PACKAGE_RECOMMENDS openssh-client)
set(CPACK_DEBIAN_GPSNAP_PACKAGE_SUGGESTS "libpq5, libmicrohttpd12")
set(CPACK_DEBIAN_GPSNAP_PACKAGE_CONTROL_EXTRA
    ${PROJECT_BINARY_DIR}/dist/conffiles
    ${PROJECT_SOURCE_DIR}/dist/debian/postinst
    ${PROJECT_SOURCE_DIR}/dist/debian/prerm
    ${PROJECT_SOURCE_DIR}/dist/debian/postrm)
set(CPACK_DEBIAN_GPSNAP_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_AGENT_PACKAGE_NAME gpsnap-agent)
set(CPACK_DEBIAN_AGENT_PACKAGE_CONTROL_EXTRA
    ${PROJECT_SOURCE_DIR}/dist/debian/agent/postinst)
set(CPACK_DEBIAN_AGENT_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_AGENT_PACKAGE_SUGGESTS libcap2-bin)

set(CPACK_RPM_COMPONENT_INSTALL ON)
set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_RELEASE 1)
set(CPACK_RPM_PACKAGE_LICENSE "Apache-2.0")
set(CPACK_DEBIAN_HEAP_PACKAGE_NAME gpsnap-heap)
set(CPACK_DEBIAN_HEAP_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_HEAP_PACKAGE_DEPENDS "gpsnap-agent (= ${version})")
set(CPACK_DEBIAN_HEAP_PACKAGE_CONTROL_EXTRA
    ${PROJECT_SOURCE_DIR}/dist/debian/heap/postinst)
set(CPACK_DEBIAN_HEAP_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_HEAP_PACKAGE_SUGGESTS libcap2-bin)

set(CPACK_RPM_MAIN_COMPONENT gpsnap)
set(CPACK_RPM_GPSNAP_PACKAGE_REQUIRES "gpsnap-agent = ${version}")
# CPack drops Suggests where `rpm --suggests` without a package fails, as it
# does on Debian: so it goes into the spec file as it stands.
set(CPACK_RPM_SPEC_MORE_DEFINE
"%define _buildhost reproducible
%define use_source_date_epoch_as_buildtime 1
%define clamp_mtime_to_source_date_epoch 1
Packager: ${GS_MAINTAINER}
%if \"%{name}\" == \"gpsnap\"
Suggests: libpq.so.5()(64bit)
Suggests: libmicrohttpd.so.12()(64bit)
%endif")
set(CPACK_RPM_GPSNAP_USER_FILELIST
    "%config(noreplace) ${CMAKE_INSTALL_FULL_SYSCONFDIR}/default/gpsnap"
    "%config(noreplace) ${CMAKE_INSTALL_FULL_SYSCONFDIR}/default/gpsnap-archive"
    "%config(noreplace) ${CMAKE_INSTALL_FULL_SYSCONFDIR}/gpsnap.conf")
set(CPACK_RPM_GPSNAP_POST_INSTALL_SCRIPT_FILE
    ${PROJECT_SOURCE_DIR}/dist/rpm/post)
set(CPACK_RPM_GPSNAP_PRE_UNINSTALL_SCRIPT_FILE
    ${PROJECT_SOURCE_DIR}/dist/rpm/preun)
set(CPACK_RPM_GPSNAP_POST_UNINSTALL_SCRIPT_FILE
    ${PROJECT_SOURCE_DIR}/dist/rpm/postun)
set(CPACK_RPM_AGENT_PACKAGE_NAME gpsnap-agent)
set(CPACK_RPM_AGENT_POST_INSTALL_SCRIPT_FILE
    ${PROJECT_SOURCE_DIR}/dist/rpm/agent_post)
set(CPACK_RPM_HEAP_PACKAGE_NAME gpsnap-heap)
set(CPACK_RPM_HEAP_PACKAGE_REQUIRES "gpsnap-agent = ${version}")
set(CPACK_RPM_HEAP_POST_INSTALL_SCRIPT_FILE
    ${PROJECT_SOURCE_DIR}/dist/rpm/heap_post)
set(CPACK_RPM_PACKAGE_AUTOREQ ON)
set(CPACK_RPM_PACKAGE_RELOCATABLE OFF)
# Of the system, not of these packages.
set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION ${CMAKE_INSTALL_FULL_SYSCONFDIR}
    ${CMAKE_INSTALL_FULL_SYSCONFDIR}/default)
foreach(dir lib/systemd lib/systemd/system lib/sysusers.d share/man
        share/man/man1 share/man/man5 share/man/man7 share/zsh
        share/zsh/site-functions share/bash-completion share/doc share/lintian
        share/lintian/overrides
        share/bash-completion/completions)
    list(APPEND CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION
        ${CMAKE_INSTALL_PREFIX}/${dir})
endforeach()
include(CPack)
