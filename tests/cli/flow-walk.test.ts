// The paths through the shipped flows by commands of the terminal, by the calls of programs, and by agents.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildAgentSurface } from '../flows/walk/mcp.ts'
import { openWalkSchool, type WalkSchool } from '../flows/walk/school.ts'
import { buildApiSurface, walkFlow } from '../flows/walk/walk.ts'
import { type RunningServer, startRealServer } from '../support/server.ts'
import { captchaEnv } from '../support/student.ts'
import { buildTerminalSurface } from './flow-surface.ts'

let server: RunningServer
let home: string
let school: WalkSchool
beforeAll(async () => {
  server = await startRealServer({ ...captchaEnv, LIMIT_TOKEN_CALLS: '1000' })
  home = await mkdtemp(join(tmpdir(), 'jiaowu-walk-'))
  school = await openWalkSchool(server)
}, 120_000)
afterAll(async () => {
  await server.stop()
  await rm(home, { recursive: true, force: true })
})

it('offers and does what the machine does, by the calls of programs', async () => {
  const surface = buildApiSurface(school)
  for (const flow of school.flows) expect((await walkFlow(flow, [surface])).wrong).toEqual([])
})

it('offers and does what the machine does, by commands', async () => {
  const surface = await buildTerminalSurface(server, home, school)
  for (const flow of school.flows) expect((await walkFlow(flow, [surface])).wrong).toEqual([])
})

it('offers and does what the machine does, by proposals of agents that people confirm', async () => {
  const surface = await buildAgentSurface(server.url, school)
  for (const flow of school.flows) {
    const { paths, wrong } = await walkFlow(flow, [surface])
    expect(wrong).toEqual([])
    expect(paths).toBeGreaterThan(3)
  }
})
