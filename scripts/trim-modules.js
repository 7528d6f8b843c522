// Runs after `npm ci` and `npm install`: removes from node_modules what no command of this
// repository reads, a quarter of its size on disk.
import { existsSync, readdirSync, rmSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'

const modules = join(import.meta.dirname, '..', 'node_modules')

if (existsSync(modules)) {
  removeMaps(modules)
  // Blueprint is loaded as `lib/cjs` by Node and as `lib/esm` by Vite.
  removeFrom(join(modules, '@blueprintjs'), ['src', join('lib', 'esnext')])
  // The C++ headers of the pinned Node, below the package that is named after this platform.
  removeFrom(join(modules, 'node', 'node_modules'), ['include', 'share'])
}

/**
 * Removes the source maps of packages.
 * @param {string} folder
 */
function removeMaps(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    // Links lead to the packages of this repository.
    if (entry.isDirectory()) removeMaps(path)
    else if (entry.isFile() && /\.(?:[cm]?[jt]s|css)\.map$/.test(entry.name)) unlinkSync(path)
  }
}

/**
 * Removes parts of each package in a folder.
 * @param {string} folder
 * @param {readonly string[]} parts
 */
function removeFrom(folder, parts) {
  if (!existsSync(folder)) return
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory())
      for (const part of parts)
        rmSync(join(folder, entry.name, part), { recursive: true, force: true })
}
