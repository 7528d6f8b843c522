// Checks the description of the API by the linters that its readers use: `npm run lint:api`. They are fetched when it
// runs, because their packages are larger than the server.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openApi } from '../apps/server/src/platform/openapi/document.ts'

/** Paths of the specification are ambiguous (`/entity/page`, `/entity/{id}`): the router takes the literal one. */
const redocly = 'extends: [recommended-strict]\nrules:\n  no-ambiguous-paths: off\n'
const spectral = 'extends: ["spectral:oas"]\n'

const folder = mkdtempSync(join(tmpdir(), 'jiaowu-api-'))
try {
  writeFileSync(join(folder, 'redocly.yaml'), redocly)
  writeFileSync(join(folder, '.spectral.yaml'), spectral)
  for (const locale of ['zh-CN', 'en'] as const)
    writeFileSync(join(folder, `${locale}.json`), openApi(locale))
  const files = ['zh-CN.json', 'en.json']
  run('@redocly/cli@2.77.0', ['redocly', 'lint', ...files])
  run('@stoplight/spectral-cli@6.16.3', ['spectral', 'lint', '--fail-severity', 'hint', ...files])
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function run(pack: string, command: readonly string[]): void {
  const args = ['exec', '--yes', '--ignore-scripts', `--package=${pack}`, '--', ...command]
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
