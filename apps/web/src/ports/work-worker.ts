// Solves the work of one captcha (docs/rules/security.md#h1).
import type { CaptchaWork } from '@jiaowu/api/contract/student/captcha-work'
import { pbkdf2 } from '@noble/hashes/pbkdf2.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import type { DeriveKeyFunction } from 'altcha-lib/types'

/** For pages over plain http, where browsers have no `crypto.subtle`; slower by a factor of ten or more. */
const deriveInScript: DeriveKeyFunction = ({ cost, keyLength }, salt, password) =>
  Promise.resolve({ derivedKey: pbkdf2(sha256, password, salt, { c: cost, dkLen: keyLength }) })

addEventListener('message', ({ data }: MessageEvent<CaptchaWork>) => {
  const derive = isSecureContext ? deriveKey : deriveInScript
  solveChallenge({ challenge: data, deriveKey: derive }).then(
    (found) => postMessage(found === null ? null : `${found.counter}.${found.derivedKey}`),
    () => postMessage(null),
  )
})
