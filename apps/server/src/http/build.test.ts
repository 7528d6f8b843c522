import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createBuildReader } from './build.ts'

it('names the build that is served, also after another one has replaced it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'jiaowu-build-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  let now = 0
  const read = createBuildReader(folder, () => now)
  expect(read()).toBeUndefined()
  const write = async (name: string, seconds: number) => {
    const page = join(folder, 'index.html')
    await writeFile(
      page,
      `<script type="module" src="/assets/runtime-1.js"></script><script type="module" src="/assets/${name}.js"></script>`,
    )
    await utimes(page, seconds, seconds)
  }
  await write('index-BxYz_1', 1_000)
  expect(read()).toBeUndefined()
  now += 5_000
  expect(read()).toBe('runtime-1 index-BxYz_1')
  await write('index-CxYz_2', 2_000)
  now += 5_000
  expect(read()).toBe('runtime-1 index-CxYz_2')
  expect(createBuildReader(undefined)()).toBeUndefined()
})
