// Checks that run before the tests, as npm scripts: scripts/test.ts runs them, and so do the jobs
// of .github/workflows/ci.yml.

export interface Step {
  readonly name: string
  /** A script of package.json and its arguments. */
  readonly script: readonly [name: string, ...args: readonly string[]]
}

export const types: Step = { name: 'types', script: ['types'] }

export const checks: readonly Step[] = [
  { name: 'format', script: ['fmt', '--check'] },
  { name: 'lint', script: ['lint'] },
  { name: 'unused code', script: ['knip'] },
]

export const build: Step = { name: 'build', script: ['build'] }

/** The arguments of npm that run the script of a step. */
export function argumentsForNpm({ script: [name, ...args] }: Step): string[] {
  return ['run', name, ...(args.length === 0 ? [] : ['--', ...args])]
}
