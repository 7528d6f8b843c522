import { spawn } from 'node:child_process'

/** Opens a page in the person's browser where there is one; whoever has none types the address elsewhere. */
export function openBrowser(address: string): void {
  const found = findOpenCommand(process.platform, process.env)
  if (found === null) return
  const [command, ...before] = found
  const child = spawn(command, [...before, address], { detached: true, stdio: 'ignore' })
  child.on('error', () => {})
  child.unref()
}

function findOpenCommand(
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv,
): readonly [string, ...string[]] | null {
  if (platform === 'darwin') return ['open']
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  // Without a screen, as in a session by SSH, there is nothing to open.
  return (env['DISPLAY'] ?? env['WAYLAND_DISPLAY'] ?? '') === '' ? null : ['xdg-open']
}
