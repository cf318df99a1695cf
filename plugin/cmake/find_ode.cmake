# Which ODE: the system's, as pkg-config finds it, or the one whose sources the program brings along.
#
#     -DODE_RLS_ODE_SOURCE=FOLDER    ODE's sources.  Where a target ODE exists already (the program has added it) that one is
#                                    taken; otherwise it is built here, static, by its own CMake files.
#
# Either way the target PkgConfig::ODE stands for it.  ODE from sources is linked into the program, and reached from
# inside: only the static library is built, and nothing is installed.
set (ODE_RLS_ODE_SOURCE "" CACHE PATH "Sources of an ODE to build the static library against, instead of the system's ODE")
if (NOT ODE_RLS_ODE_SOURCE)
    pkg_check_modules (ODE REQUIRED IMPORTED_TARGET GLOBAL ode)
    return ()
endif ()

if (NOT TARGET ODE)
    if (NOT EXISTS ${ODE_RLS_ODE_SOURCE}/CMakeLists.txt)
        message (FATAL_ERROR "${ODE_RLS_ODE_SOURCE} has no CMakeLists.txt; see plugin/doc/any-ode.md for such an ODE")
    endif ()
    set (CMAKE_POLICY_DEFAULT_CMP0077 NEW) # what is set here stands
    set (BUILD_SHARED_LIBS OFF)
    set (ODE_WITH_DEMOS OFF)
    set (ODE_WITH_TESTS OFF)
    get_property (ours DIRECTORY PROPERTY COMPILE_OPTIONS) # they are not ODE's
    set_property (DIRECTORY PROPERTY COMPILE_OPTIONS -w)
    add_subdirectory (${ODE_RLS_ODE_SOURCE} ${PROJECT_BINARY_DIR}/ode EXCLUDE_FROM_ALL)
    set_property (DIRECTORY PROPERTY COMPILE_OPTIONS ${ours})
endif ()
add_library (PkgConfig::ODE INTERFACE IMPORTED GLOBAL)
target_link_libraries (PkgConfig::ODE INTERFACE ODE)
