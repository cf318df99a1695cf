# Other builds of ODE than the shared library: the static one works; one that hides its internals and one of another
# precision are named and refused.
set (INCOMPATIBLE 4) # dRLSStatusIncompatibleODE
set (PROGRAM ${CMAKE_CURRENT_LIST_DIR}/program.c)
add_executable (versions_shared ${PROGRAM})
target_link_libraries (versions_shared PRIVATE ode_rls_shared)
add_test (NAME versions.shared COMMAND versions_shared 0)

add_library (other_precision SHARED ${CMAKE_CURRENT_LIST_DIR}/other_precision.c)
add_test (NAME versions.other_precision COMMAND versions_shared ${INCOMPATIBLE})
set_tests_properties (versions.other_precision PROPERTIES
    ENVIRONMENT "LD_PRELOAD=$<TARGET_FILE:other_precision>;ASAN_OPTIONS=verify_asan_link_order=0")

find_library (ODE_ARCHIVE libode.a HINTS ${ODE_LIBDIR})
if (ODE_ARCHIVE AND NOT ODE_RLS_SANITIZE)
    # ODE's own object files in one, of which only the public functions can be seen
    set (HIDDEN ${CMAKE_CURRENT_BINARY_DIR}/ode_hidden.o)
    add_custom_command (OUTPUT ${HIDDEN} DEPENDS ${ODE_ARCHIVE}
        COMMAND ${CMAKE_LINKER} -r -o ${HIDDEN} --whole-archive ${ODE_ARCHIVE}
        COMMAND ${CMAKE_OBJCOPY} --wildcard "--keep-global-symbol=d[A-Z]*" ${HIDDEN} VERBATIM)
    foreach (kind static hidden)
        add_executable (versions_${kind} ${PROGRAM})
        target_include_directories (versions_${kind} PRIVATE ${PROJECT_SOURCE_DIR}/plugin/include ${ODE_INCLUDE_DIRS})
        target_compile_options (versions_${kind} PRIVATE ${ODE_CFLAGS_OTHER})
        add_dependencies (versions_${kind} ode_rls_static)
    endforeach ()
    # What the archive may need: Debian has the library for those that are linked to ODE, if not for those who link.
    find_library (CCD_LIBRARY NAMES ccd libccd.so.2)
    set (NEEDED amd stdc++ m Threads::Threads)
    if (CCD_LIBRARY)
        list (APPEND NEEDED ${CCD_LIBRARY})
    endif ()
    target_sources (versions_hidden PRIVATE ${HIDDEN})
    set_source_files_properties (${HIDDEN} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
    target_link_libraries (versions_hidden PRIVATE $<TARGET_FILE:ode_rls_static> ${NEEDED})
    target_link_libraries (versions_static PRIVATE $<TARGET_FILE:ode_rls_static> ${ODE_ARCHIVE} ${NEEDED})
    add_test (NAME versions.static COMMAND versions_static 0)
    add_test (NAME versions.hidden COMMAND versions_hidden ${INCOMPATIBLE})
endif ()
