import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** A program of the server in a checkout, which may be one from before the programs moved into `start`. */
export function serverProgram(checkout: string, name: 'main.ts' | 'commands/seed-main.ts'): string {
  const source = join(checkout, 'apps/server/src')
  const program = join(source, 'start', name)
  return existsSync(program) ? program : join(source, name)
}
