// Builds apps/cli/dist if its sources exist and are newer. Called by `npm run build`, `npm start`,
// `npm test` and `jiaowu`. Plain JavaScript, since the command also runs on Nodes that cannot run
// TypeScript (docs/decisions/0007-the-terminal.md).
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const cliFolder = join(dirname(fileURLToPath(import.meta.url)), '..')
const root = join(cliFolder, '..', '..')
const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
const dist = join(cliFolder, 'dist')
const sources = [
  join(cliFolder, 'src'),
  ...['api', 'validation', 'machines'].map((name) => join(root, 'packages', name, 'src')),
]

/** Files besides the sources that determine the build. */
const buildFiles = [
  join(cliFolder, 'vite.config.ts'),
  join(cliFolder, 'package.json'),
  fileURLToPath(import.meta.url),
]

/** Path of the built command. */
export const main = join(dist, 'main.js')

/**
 * Latest modification time in a folder, in milliseconds; that of the folder itself reveals deleted
 * files.
 */
const newest = (folder) =>
  readdirSync(folder, { withFileTypes: true }).reduce((latest, entry) => {
    const path = join(folder, entry.name)
    return Math.max(latest, entry.isDirectory() ? newest(path) : statSync(path).mtimeMs)
  }, statSync(folder).mtimeMs)

const isStale = () => {
  const built = statSync(main, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return (
    buildFiles.some((file) => statSync(file).mtimeMs > built) ||
    sources.some((folder) => newest(folder) > built)
  )
}

/**
 * Builds into a temporary folder and renames it to `dist`, since two commands may build at the same
 * time.
 */
const build = () => {
  const started = new Date()
  const temporary = join(cliFolder, 'node_modules', `.building-${process.pid}`)
  const { status } = spawnSync(
    process.execPath,
    [vite, 'build', cliFolder, '--outDir', temporary, '--logLevel', 'error'],
    { stdio: ['ignore', 2, 2], env: { ...process.env, NODE_ENV: 'production' } },
  )
  if (status !== 0) process.exit(1)
  utimesSync(join(temporary, 'main.js'), started, started)
  if (existsSync(dist)) renameSync(dist, `${temporary}-old`)
  try {
    renameSync(temporary, dist)
  } catch (error) {
    // Otherwise another command has put the same build in place meanwhile.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  }
  for (const leftover of [temporary, `${temporary}-old`])
    rmSync(leftover, { recursive: true, force: true })
}

/** Does nothing for an installed command, which has neither sources nor Vite. */
export const buildIfStale = () => {
  if (existsSync(vite) && sources.every((folder) => existsSync(folder)) && isStale()) build()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) buildIfStale()
