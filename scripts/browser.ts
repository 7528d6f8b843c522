// Finds a Chromium for the tests, or installs that of Debian when it runs as root. Test tools
// download no browsers.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const names = [
  // Without windows: four fifths of the processor time of the whole browser.
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge',
]
/** Locations outside of PATH, on macOS and Windows. */
const installPaths = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** Path of a Chromium. @throws if there is none and installing fails */
export function browserPath(): string {
  if (findChromium() === null) install()
  const path = findChromium()
  if (path === null)
    throw new Error(
      'The browser tests need Chromium or Chrome: install one (Debian: apt-get install chromium-headless-shell) or set CHROMIUM_PATH.',
    )
  return path
}

function findChromium(): string | null {
  return (
    process.env.CHROMIUM_PATH ??
    names.map(onPath).find((path) => path !== null) ??
    installPaths.find((path) => existsSync(path)) ??
    null
  )
}

function onPath(name: string): string | null {
  const found = spawnSync(process.platform === 'win32' ? 'where' : 'which', [name], {
    encoding: 'utf8',
  })
  return found.status === 0 ? (found.stdout.split(/\r?\n/)[0] ?? null) : null
}

function install(): void {
  if (process.getuid?.() !== 0 || onPath('apt-get') === null) return
  console.error('Installing Chromium from the distribution for the browser tests …')
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [
    ['update', '-qq'],
    [
      'install',
      '-y',
      '-qq',
      '--no-install-recommends',
      'chromium-headless-shell',
      'fonts-noto-cjk',
    ],
  ])
    execFileSync('apt-get', args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
}
