import type { Locale } from '@jiaowu/api/locale'
import { problemText } from '@jiaowu/api/problem'
import { t } from '@jiaowu/api/texts/index'
import { sessionView } from '@jiaowu/machines/session/view'
import { useSelector } from '@xstate/react'
import { useView } from './use-view.ts'
import { Box } from 'ink'
import { type ReactNode, useEffect, useState } from 'react'
import { type SessionActor, toAnswer } from '../session/connect.ts'
import { TextInput } from './text-input.tsx'
import { Fault, Keys, offer, Text, useBindings } from './ui.tsx'

interface OverProps {
  readonly session: SessionActor
  readonly locale: Locale
  /** Loads the captcha that the server requires after failed attempts, as lines of half blocks. */
  readonly picture: (key: string) => Promise<readonly string[]>
}

/**
 * Shows a sign-in form below a screen when the session ends, so that unsaved input survives
 * (docs/rules/contract.md#sessions).
 */
export function SignInOver({
  session,
  locale,
  picture,
  children,
}: OverProps & { readonly children: (isCovered: boolean) => ReactNode }) {
  const isOver = useSelector(session, (s) => s.hasTag('expired'))
  return (
    <Box flexDirection="column">
      {children(isOver)}
      {isOver ? <Over session={session} locale={locale} picture={picture} /> : null}
    </Box>
  )
}

function Over(props: OverProps) {
  const { session, locale } = props
  const { over, problem, busy, can, factor } = useView(session, sessionView)
  const bindings = [
    ...offer(can.confirmReminder, 'enter', t(locale, 'cli.login'), () =>
      session.send({ type: 'reminder.confirm' }),
    ),
    ...offer(can.signIn || can.answerFactor, 'enter', t(locale, 'cli.login'), () => {}),
    ...offer(can.leaveFactor, 'esc', t(locale, 'signIn.back'), () =>
      session.send({ type: 'factor.leave' }),
    ),
  ]
  useBindings(bindings, !can.signIn)
  return (
    <Box flexDirection="column" borderStyle="round" borderColor="yellow" paddingX={1}>
      <Text bold>
        {over === null || over.ended === null ? '' : problemText(locale, over.ended)}
      </Text>
      {over?.stage !== 'form' ? null : factor === null ? (
        <Form {...props} />
      ) : (
        <CodeForm session={session} locale={locale} />
      )}
      {problem === null ? null : <Fault>{problemText(locale, problem)}</Fault>}
      {busy ? <Text dimColor>{t(locale, 'common.loading')}</Text> : <Keys bindings={bindings} />}
    </Box>
  )
}

function Form({ session, locale, picture }: OverProps) {
  const { user, captchaKey, can } = useView(session, sessionView)
  const [password, setPassword] = useState('')
  const [letters, setLetters] = useState('')
  const [isReading, setReading] = useState(false)
  const lines = usePicture(captchaKey, picture)
  const send = () => {
    session.send({
      type: 'session.signIn',
      account: user?.account ?? '',
      password,
      tenant: user?.tenant ?? '',
      captcha: letters,
    })
    setPassword('')
    setLetters('')
    setReading(false)
  }
  const next = () => {
    if (!can.signIn) return
    if (captchaKey !== null && !isReading) setReading(true)
    else send()
  }
  return (
    <Box flexDirection="column">
      <Box>
        <Text>
          {user?.account} {t(locale, 'cli.askPassword')}
        </Text>
        <TextInput
          value={password}
          onChange={setPassword}
          onSubmit={next}
          isActive={can.signIn && !isReading}
          isSecret
        />
      </Box>
      {lines.map((line, index) => (
        <Text key={`${index} ${line}`}>{line}</Text>
      ))}
      {captchaKey === null ? null : (
        <Box>
          <Text>{t(locale, 'cli.askCaptcha')}</Text>
          <TextInput
            value={letters}
            onChange={setLetters}
            onSubmit={next}
            isActive={can.signIn && isReading}
          />
        </Box>
      )}
    </Box>
  )
}

/** Asks for a code of the second factor, or a recovery code. */
function CodeForm({ session, locale }: Pick<OverProps, 'session' | 'locale'>) {
  const { can } = useView(session, sessionView)
  const [code, setCode] = useState('')
  const send = () => {
    if (code.trim() === '') return
    session.send({ type: 'factor.answer', ...toAnswer(code) })
    setCode('')
  }
  return (
    <Box>
      <Text>{t(locale, 'cli.askFactor')}</Text>
      <TextInput value={code} onChange={setCode} onSubmit={send} isActive={can.answerFactor} />
    </Box>
  )
}

function usePicture(key: string | null, picture: OverProps['picture']): readonly string[] {
  const [drawn, setDrawn] = useState<readonly string[]>([])
  useEffect(() => {
    let isCurrent = key !== null
    if (key !== null)
      void picture(key).then(
        (lines) => {
          if (isCurrent) setDrawn(lines)
        },
        () => {},
      ) // without the picture, the message of the server still names what is missing
    return () => {
      isCurrent = false
    }
  }, [key, picture])
  return key === null ? [] : drawn
}
