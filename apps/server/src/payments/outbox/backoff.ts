import { cutText } from '@jiaowu/api/cut-text'
import { GatewayFailure } from '../gateway.ts'

export const second = 1_000
export const minute = 60 * second
export const hour = 60 * minute

const retryAfter = [5 * second, 15 * second, minute, 5 * minute, 15 * minute, hour]

/** Milliseconds until the next attempt, after so many. */
export function backoffMs(attempts: number): number {
  return retryAfter[Math.min(attempts, retryAfter.length) - 1] ?? hour
}

/** For the `failure` columns: at most 200 characters, without personal data. */
export function failureText(error: unknown): string {
  const text =
    error instanceof GatewayFailure
      ? error.message
      : error instanceof Error
        ? error.name
        : 'unknown'
  return cutText(text, 200)
}
