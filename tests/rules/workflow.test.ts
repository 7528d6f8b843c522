// The workflow of continuous integration runs the steps that `npm run test:all` runs, by npm scripts,
// so that each of its failures can be repeated with one command.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { argumentsForNpm, build, checks, types } from '../../scripts/steps.ts'

const root = join(import.meta.dirname, '../..')
const folder = join(root, '.github/workflows')

const Workflow = v.object({
  jobs: v.record(
    v.string(),
    v.object({
      strategy: v.optional(v.object({ matrix: v.object({ include: v.array(v.looseObject({})) }) })),
      env: v.optional(v.record(v.string(), v.string()), {}),
      steps: v.array(v.object({ name: v.string(), run: v.optional(v.string()) })),
    }),
  ),
})
const { scripts } = v.parse(
  v.object({ scripts: v.record(v.string(), v.string()) }),
  JSON.parse(read('package.json')),
)
const { jobs } = v.parse(Workflow, parse(read('.github/workflows/ci.yml')))
const stepsOfJobs = Object.values(jobs).map(({ steps }) =>
  steps.flatMap(({ name, run }) => (run === undefined ? [] : [{ name, run }])),
)
const install = { name: 'install', run: 'npm ci' }
const tests = { name: 'tests', run: 'npm run test:alone' }

describe('the workflow of continuous integration', () => {
  it('runs each step of npm run test:all once, by the same command, and nothing else', () => {
    const expected = [...checks, types, build].map((step) => ({
      name: step.name,
      run: ['npm', ...argumentsForNpm(step)].join(' '),
    }))
    for (const steps of stepsOfJobs) expect(steps[0]).toEqual(install)
    expect(stepsOfJobs.flatMap((steps) => steps.slice(1))).toEqual([...expected, tests])
  })

  it('runs scripts that package.json has', () => {
    const names = stepsOfJobs
      .flat()
      .flatMap(({ run }) => /^npm run ([\w:]+)(?: -- .+)?$/.exec(run)?.[1] ?? [])
    expect(names.filter((name) => scripts[name] === undefined)).toEqual([])
    expect(names).toHaveLength(stepsOfJobs.flat().length - stepsOfJobs.length)
  })

  it('runs the tests on the embedded database and on PostgreSQL', () => {
    const { tests: job } = jobs
    expect(job?.env).toEqual({ TEST_ENGINE: '${{ matrix.engine }}' })
    const engines = job?.strategy?.matrix.include.map(({ engine }) => engine)
    expect(new Set(engines)).toEqual(new Set(['embedded', 'postgres']))
  })

  it('names no registry', () => {
    for (const name of readdirSync(folder))
      expect(read(join('.github/workflows', name))).not.toMatch(/registry|https?:/)
  })
})

describe('the command of continuous integration', () => {
  it('installs and runs everything', () => {
    const commands = read('.ci/run')
      .split('\n')
      .filter((line) => line.startsWith('npm '))
    expect(commands).toEqual(['npm ci', 'npm run test:all'])
  })
})

function read(name: string): string {
  return readFileSync(join(root, name), 'utf8')
}
