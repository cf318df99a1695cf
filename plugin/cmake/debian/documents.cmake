# Run by CPack on each package's folder before it is packed: what Debian's policy wants beside the files that
# every installation has (copyright, changelog, compressed manual pages, permissions).
find_program (GZIP gzip REQUIRED)

function (compress file)
    execute_process (COMMAND ${GZIP} -9 -n -f ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction ()

set (maintainer ${CPACK_PACKAGE_CONTACT})
string (TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
file (READ ${CPACK_RESOURCE_FILE_LICENSE} licence)
string (REGEX REPLACE "^[^\n]*\n\n(Copyright[^\n]*)\n+" "" licence "${licence}") # the paragraph itself
set (holder "${CMAKE_MATCH_1}")
string (REGEX REPLACE "^Copyright *(\\(c\\))? *" "" holder "${holder}")
string (REGEX REPLACE "\n\n" "\n.\n" licence "${licence}")
string (STRIP "${licence}" licence)
string (REPLACE "\n" "\n " licence "${licence}")

foreach (component ${CPACK_COMPONENTS_ALL})
    string (TOUPPER ${component} upper)
    set (package ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
    set (root ${CPACK_TEMPORARY_DIRECTORY}/${component})
    set (documents ${root}/usr/share/doc/${package})

    file (WRITE ${documents}/copyright
"Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: ${CPACK_PACKAGE_NAME}

Files: *
Copyright: ${holder}
License: BSD-3-Clause

License: BSD-3-Clause
 ${licence}
")
    file (WRITE ${documents}/changelog.Debian
"${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * Version ${CPACK_PACKAGE_VERSION}; CHANGELOG.md says what is new.

 -- ${maintainer}  ${now}
")
    compress (${documents}/changelog.Debian)

    file (GLOB pages ${root}/usr/share/man/man*/*[0-9])
    foreach (page ${pages})
        compress (${page})
    endforeach ()

    set (overrides ${CMAKE_CURRENT_LIST_DIR}/${package})
    if (EXISTS ${overrides})
        configure_file (${overrides} ${root}/usr/share/lintian/overrides/${package} COPYONLY)
    endif ()

    # Whatever the umask: files are readable by all, programs and folders usable by all.
    file (GLOB_RECURSE entries LIST_DIRECTORIES true ${root}/*)
    foreach (entry ${entries})
        set (mode go=rX,u=rwX)
        if (entry MATCHES "\\.so[.0-9]*$")
            set (mode 644) # libraries are not programs
        endif ()
        if (NOT IS_SYMLINK ${entry})
            execute_process (COMMAND chmod ${mode} ${entry} COMMAND_ERROR_IS_FATAL ANY)
        endif ()
    endforeach ()
endforeach ()
