import { type FreshProof, readCaptchaKey, toProofBody } from '@jiaowu/api/client/fresh-proof'
import type { Locale } from '@jiaowu/api/locale'
import { toProblem, problemText } from '@jiaowu/api/problem'
import { t } from '@jiaowu/api/texts/index'
import { Box } from 'ink'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import type { Api } from '../session/api.ts'
import { captchaPicture } from '../terminal/captcha-picture.ts'
import { KeysHeld } from './keys-held.ts'
import { TextInput } from './text-input.tsx'
import { Fault, Keys, Text, useBindings } from './ui.tsx'

interface Props {
  readonly proof: FreshProof
  readonly api: () => Api | null
  readonly locale: Locale
  readonly signal: AbortSignal
}

/**
 * Asks for the password below a screen while a call waits for it; the screen keeps what was typed and gets no
 * keys (docs/rules/security.md#s6).
 */
export function ProofOver({ children, ...props }: Props & { readonly children: ReactNode }) {
  const isAsking = useSyncExternalStore(props.proof.subscribe, props.proof.isAsking)
  return (
    <Box flexDirection="column">
      <KeysHeld.Provider value={isAsking}>{children}</KeysHeld.Provider>
      {isAsking ? <Question {...props} /> : null}
    </Box>
  )
}

function Question({ proof, api, locale, signal }: Props) {
  const [values, setValues] = useState({ password: '', captcha: '' })
  const [failure, setFailure] = useState<{ text: string; captchaKey: string | null } | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [isReading, setReading] = useState(false)
  const captchaKey = failure?.captchaKey ?? null
  const picture = usePicture(captchaKey, api, signal)
  const send = () => {
    const body = toProofBody(
      values.password,
      captchaKey === null ? {} : { captchaKey, captcha: values.captcha },
    )
    setValues({ password: '', captcha: '' })
    setReading(false)
    setBusy(true)
    void api()
      ?.reauthentication.prove({ body, signal })
      .then(
        ({ token }) => proof.answer(token),
        (error: unknown) => {
          const problem = toProblem(error)
          setBusy(false)
          setFailure({
            text: problemText(locale, problem),
            captchaKey: readCaptchaKey(problem.data),
          })
        },
      )
  }
  const next = () => {
    if (values.password === '') return
    if (captchaKey !== null && !isReading) setReading(true)
    else send()
  }
  const bindings = [
    { key: 'enter', label: t(locale, 'common.ok'), run: () => {} },
    { key: 'esc', label: t(locale, 'common.cancel'), run: () => proof.answer(null) },
  ]
  useBindings(bindings, !isBusy)
  return (
    <Box flexDirection="column" borderStyle="round" borderColor="yellow" paddingX={1}>
      <Text bold>{t(locale, 'problem.proofNeeded')}</Text>
      {picture.map((line, index) => (
        <Text key={`${index} ${line}`}>{line}</Text>
      ))}
      <Box>
        <Text>{t(locale, isReading ? 'cli.askCaptcha' : 'cli.askPassword')}</Text>
        {isReading ? (
          <TextInput
            value={values.captcha}
            onChange={(captcha) => setValues({ ...values, captcha })}
            onSubmit={next}
            isActive={!isBusy}
          />
        ) : (
          <TextInput
            value={values.password}
            onChange={(password) => setValues({ ...values, password })}
            onSubmit={next}
            isActive={!isBusy}
            isSecret
          />
        )}
      </Box>
      {failure === null ? null : <Fault>{failure.text}</Fault>}
      <Keys bindings={bindings} />
    </Box>
  )
}

function usePicture(key: string | null, api: Props['api'], signal: AbortSignal): readonly string[] {
  const [drawn, setDrawn] = useState<readonly string[]>([])
  useEffect(() => {
    const client = api()
    if (key === null || client === null) return undefined
    let isCurrent = true
    // Without the picture the message of the server still names what is missing.
    captchaPicture(client, key, signal).then(
      (lines) => {
        if (isCurrent) setDrawn(lines)
      },
      () => {},
    )
    return () => {
      isCurrent = false
    }
  }, [key, api, signal])
  return key === null ? [] : drawn
}
