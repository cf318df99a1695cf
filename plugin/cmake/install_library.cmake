# Installation of the library: header, shared and static library, CMake package, pkg-config file.
# The build tree itself is a CMake package too (ode_rls_DIR = the build folder).
include (CMakePackageConfigHelpers)
include (CheckCSourceCompiles)

# Programs must be compiled with the precision of the ODE that this library was compiled with; that of ODE's
# headers decides.
set (CMAKE_REQUIRED_LIBRARIES PkgConfig::ODE)
check_c_source_compiles ("#include <ode/ode.h>
#ifndef dDOUBLE
#error single precision
#endif
int main (void) { return 0; }" ODE_IS_DOUBLE)
unset (CMAKE_REQUIRED_LIBRARIES)
if (ODE_IS_DOUBLE)
    set (ODE_RLS_PRECISION dDOUBLE)
else ()
    set (ODE_RLS_PRECISION dSINGLE)
endif ()

set (PACKAGE_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/ode_rls)

install (TARGETS ode_rls_shared EXPORT ode_rls-shared
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development)
install (TARGETS ode_rls_static EXPORT ode_rls-static
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install (DIRECTORY include/ode_rls DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)

# The shared library needs ODE alone, the static one AMD as well: two sets of targets, so that whoever takes the
# shared one need not have AMD.
foreach (kind shared static)
    install (EXPORT ode_rls-${kind} NAMESPACE ode_rls:: FILE ode_rls-${kind}.cmake DESTINATION ${PACKAGE_FOLDER}
        COMPONENT development)
    export (EXPORT ode_rls-${kind} NAMESPACE ode_rls:: FILE ${PROJECT_BINARY_DIR}/ode_rls-${kind}.cmake)
endforeach ()

configure_package_config_file (cmake/ode_rls-config.cmake.in ${PROJECT_BINARY_DIR}/ode_rls-config.cmake
    INSTALL_DESTINATION ${PACKAGE_FOLDER} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file (${PROJECT_BINARY_DIR}/ode_rls-config-version.cmake
    COMPATIBILITY SameMajorVersion)
configure_file (cmake/FindAMD.cmake ${PROJECT_BINARY_DIR}/FindAMD.cmake COPYONLY)
install (FILES ${PROJECT_BINARY_DIR}/ode_rls-config.cmake ${PROJECT_BINARY_DIR}/ode_rls-config-version.cmake
    cmake/FindAMD.cmake DESTINATION ${PACKAGE_FOLDER} COMPONENT development)

# The pkg-config file is written when the prefix is known: at installation.
file (CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/write_pkg_config.cmake @ONLY CONTENT [[
set (version "@PROJECT_VERSION@")
set (description "@PROJECT_DESCRIPTION@")
set (precision "@ODE_RLS_PRECISION@")
set (prefix "${CMAKE_INSTALL_PREFIX}")
foreach (folder "libdir=@CMAKE_INSTALL_LIBDIR@" "includedir=@CMAKE_INSTALL_INCLUDEDIR@")
    string (REGEX MATCH "^([a-z]+)=(.*)$" whole "${folder}")
    if (IS_ABSOLUTE "${CMAKE_MATCH_2}")
        set (${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
    else ()
        set (${CMAKE_MATCH_1} "\${prefix}/${CMAKE_MATCH_2}")
    endif ()
endforeach ()
configure_file ("@CMAKE_CURRENT_SOURCE_DIR@/cmake/ode-rls.pc.in" "@PROJECT_BINARY_DIR@/ode-rls.pc" @ONLY)
]])
install (SCRIPT ${PROJECT_BINARY_DIR}/write_pkg_config.cmake COMPONENT development)
install (FILES ${PROJECT_BINARY_DIR}/ode-rls.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

if (TARGET ode_rls_preload)
    install (TARGETS ode_rls_preload LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT tools)
endif ()
