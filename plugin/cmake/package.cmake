# Debian packages by CPack: libode-rls1 (the library), libode-rls-dev, ode-rls (program, scenes, preload shim).
#
#     cmake -S . -B build-package -DCMAKE_INSTALL_PREFIX=/usr -DODE_RLS_TESTS=OFF
#     cmake --build build-package --target package
set (CPACK_GENERATOR DEB)
set (CPACK_PACKAGE_NAME ode-rls)
set (CPACK_PACKAGE_VENDOR "The ode-rls developers")
set (CPACK_PACKAGE_DESCRIPTION_SUMMARY OFF) # each package has its own
set (CPACK_PACKAGE_CONTACT "The ode-rls developers <ode-rls@example.org>")
if (DEFINED ENV{DEBFULLNAME} AND DEFINED ENV{DEBEMAIL})
    set (CPACK_PACKAGE_CONTACT "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
endif ()
set (CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set (CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set (CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set (CPACK_SET_DESTDIR ON) # absolute folders, and the true prefix in the pkg-config file
set (CPACK_STRIP_FILES ON)

set (CPACK_DEB_COMPONENT_INSTALL ON)
set (CPACK_COMPONENTS_ALL library development tools)
set (CPACK_COMPONENTS_GROUPING IGNORE)
set (CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set (CPACK_DEBIAN_PACKAGE_RELEASE 1)
set (CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set (CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
set (CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set (CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set (CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/plugin/cmake/debian/documents.cmake)

set (library libode-rls${PROJECT_VERSION_MAJOR})
set (TRIGGERS ${PROJECT_SOURCE_DIR}/plugin/cmake/debian/triggers)
file (WRITE ${PROJECT_BINARY_DIR}/shlibs
    "libode_rls ${PROJECT_VERSION_MAJOR} ${library} (>= ${PROJECT_VERSION})\n")

set (CPACK_DEBIAN_LIBRARY_PACKAGE_NAME ${library})
set (CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set (CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS libode8) # programs bring their ODE
set (CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/shlibs ${TRIGGERS})
set (CPACK_COMPONENT_LIBRARY_DESCRIPTION "rank-revealing joint stepping for ODE - library
A replacement for dWorldStep of the Open Dynamics Engine that solves the
joint rows of mechanisms exactly: rows that others already imply are found,
named and skipped instead of softened. Closed loops neither lock nor drift.
.
This package contains the shared library.")

set (CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libode-rls-dev)
set (CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set (CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "${library} (= ${PROJECT_VERSION}-1), libode-dev, libsuitesparse-dev, libc6-dev")
set (CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "rank-revealing joint stepping for ODE - development files
A replacement for dWorldStep of the Open Dynamics Engine that solves the
joint rows of mechanisms exactly.
.
This package contains the header, the static library, the CMake package and
the pkg-config file.")

set (CPACK_DEBIAN_TOOLS_PACKAGE_NAME ode-rls)
set (CPACK_DEBIAN_TOOLS_PACKAGE_SECTION science)
# OpenGL and EGL are loaded at run time, so that no tool finds them as dependencies.
set (CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS
    "${library} (= ${PROJECT_VERSION}-1), fonts-dejavu-core, fonts-inter, libegl1, libgl1")
set (CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS "libgl1-mesa-dri")
set (CPACK_DEBIAN_TOOLS_PACKAGE_SUGGESTS "ffmpeg")
set (CPACK_DEBIAN_TOOLS_PACKAGE_CONTROL_EXTRA ${TRIGGERS})
set (CPACK_COMPONENT_TOOLS_DESCRIPTION "rank-revealing joint stepping for ODE - program and shim
Simulates, compares, inspects and shows mechanisms in SDFormat files under
the steppers of the Open Dynamics Engine and under libode-rls, with tables,
CSV, JSON and plots.
.
This package also contains scenes and libode_rls_preload.so, which gives
programs that know ODE alone the steps of libode-rls.")

include (CPack)
