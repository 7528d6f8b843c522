import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Settings } from './settings/settings.ts'

/** Appends a line of JSON with its time to a file of the folder `outbox` (docs/rules/contract.md#running). */
export async function appendToOutbox(
  { dataDir }: Pick<Settings, 'dataDir'>,
  file: string,
  now: () => Date,
  message: object,
): Promise<void> {
  const folder = join(dataDir, 'outbox')
  await mkdir(folder, { recursive: true })
  await appendFile(
    join(folder, file),
    `${JSON.stringify({ at: now().toISOString(), ...message })}\n`,
    { mode: 0o600 },
  )
}
