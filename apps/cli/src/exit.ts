import type { Problem } from '@jiaowu/api/problem'

/** Exit codes (docs/rules/contract.md#command-line). */
export const exitCodes = {
  done: 0,
  fault: 1,
  usage: 2,
  partial: 3,
  signedOut: 4,
  refused: 5,
  network: 6,
  checksFailed: 7,
  interrupted: 130,
} as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** Exit code for a failed call. */
export function toExitCode(problem: Problem): ExitCode {
  switch (problem.kind) {
    case 'session':
      return exitCodes.signedOut
    case 'refused':
      return problem.code >= 500 && problem.code < 600 && problem.code !== 501
        ? exitCodes.fault
        : exitCodes.refused
    case 'invalid':
      return isAboutQuery(problem) ? exitCodes.usage : exitCodes.refused
    case 'timeout':
    case 'transport':
      return exitCodes.network
    case 'fault':
      return exitCodes.fault
    default:
      return problem.kind satisfies never
  }
}

/** Whether only the filters, sorts or columns that the user typed are at fault. */
function isAboutQuery({ issues }: Problem): boolean {
  return (
    issues.length > 0 &&
    issues.every(({ path }) => /^(queries|where|sorts|columns|group|footer)(\.|$)/.test(path))
  )
}

/** An expected error: ends the command with a message and an exit code, without a stack trace. */
export class CommandError extends Error {
  readonly exitCode: ExitCode
  constructor(exitCode: ExitCode, message: string) {
    super(message)
    this.name = 'CommandError'
    this.exitCode = exitCode
  }
}
