# The page: TypeScript from web/src becomes one script and one style sheet in
# build/web, and these become bytes of the program.
#   assay_embed_page(TARGET)  lets TARGET's page_assets.cc see them
# Bundled again only when something below web/ changes; npm's packages are
# fetched again only when the lock file changes.

set(page_dir ${CMAKE_BINARY_DIR}/web)
set(page_strings ${PROJECT_SOURCE_DIR}/web/strings)

if(ASSAY_WEB)
  find_program(NODE node)
  find_program(NPM npm)
  if(NOT NODE OR NOT NPM)
    message(FATAL_ERROR "node and npm are not here; the page is built with them\n"
      "  hint  tools/setup installs them; -DASSAY_WEB=OFF builds without the page")
  endif()

  file(MAKE_DIRECTORY ${page_dir})
  # Links, so that packages are found from the sources' place in the build.
  foreach(name src strings tsconfig.json)
    file(CREATE_LINK ${PROJECT_SOURCE_DIR}/web/${name} ${page_dir}/${name} SYMBOLIC)
  endforeach()
  file(GLOB_RECURSE page_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/src/*
       ${PROJECT_SOURCE_DIR}/web/strings/*)

  add_custom_command(
    OUTPUT ${page_dir}/packages.stamp
    COMMAND ${CMAKE_COMMAND} -E copy package.json package-lock.json .npmrc ${page_dir}
    COMMAND ${CMAKE_COMMAND} -E chdir ${page_dir} ${NPM} ci --ignore-scripts --loglevel=error
    COMMAND ${CMAKE_COMMAND} -E touch ${page_dir}/packages.stamp
    DEPENDS ${PROJECT_SOURCE_DIR}/web/package.json ${PROJECT_SOURCE_DIR}/web/package-lock.json
            ${PROJECT_SOURCE_DIR}/web/.npmrc
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}/web
    COMMENT "Fetching the packages of the page")
  add_custom_command(
    OUTPUT ${page_dir}/page.js ${page_dir}/page.css
    COMMAND ${NODE} node_modules/esbuild/bin/esbuild src/page.tsx --bundle --minify
            --preserve-symlinks --target=chrome100,firefox115,safari16.4
            --jsx=automatic --jsx-import-source=preact --charset=utf8
            --legal-comments=eof --log-level=warning --outfile=page.js
    DEPENDS ${page_sources} ${page_dir}/packages.stamp
    WORKING_DIRECTORY ${page_dir}
    COMMENT "Bundling the page")
  add_custom_target(page DEPENDS ${page_dir}/page.js ${page_dir}/page.css)
endif()

function(assay_embed_page target)
  set(file ${CMAKE_CURRENT_SOURCE_DIR}/reports/page_assets.cc)
  set(depends ${page_strings}/en.json ${page_strings}/zh.json)
  set(definitions ASSAY_STRINGS_EN="${page_strings}/en.json"
                  ASSAY_STRINGS_ZH="${page_strings}/zh.json")
  if(ASSAY_WEB)
    list(APPEND depends ${page_dir}/page.js ${page_dir}/page.css)
    list(APPEND definitions ASSAY_PAGE_JS="${page_dir}/page.js"
                            ASSAY_PAGE_CSS="${page_dir}/page.css")
    add_dependencies(${target} page)
  endif()
  set_source_files_properties(${file} PROPERTIES OBJECT_DEPENDS "${depends}"
                              COMPILE_DEFINITIONS "${definitions}")
endfunction()
