import { type Locale, problemText, t } from '@jiaowu/api'
import { sessionView } from '@jiaowu/machines'
import { useSelector } from '@xstate/react'
import { Box } from 'ink'
import { type ReactNode, useState } from 'react'
import type { SessionActor } from '../connect.ts'
import { TextInput } from './text-input.tsx'
import { Fault, Keys, offer, Text, useBindings } from './ui.tsx'

interface OverProps { readonly session: SessionActor; readonly locale: Locale }

const Over = ({ session, locale }: OverProps) => {
  const view = useSelector(session, sessionView, (a, b) => JSON.stringify(a) === JSON.stringify(b))
  const [password, setPassword] = useState('')
  const { user, over, problem, busy, can } = view
  const submit = () => { if (can.signIn) session.send({ type: 'session.signIn', account: user?.account ?? '', password, tenant: user?.tenant ?? '', captcha: '' }); setPassword('') }
  const bindings = [
    ...offer(can.confirmReminder, 'enter', t(locale, 'cli.login'), () => session.send({ type: 'reminder.confirm' })),
    ...offer(can.signIn, 'enter', t(locale, 'cli.login'), () => {}),
  ]
  useBindings(bindings, !can.signIn)
  return (
    <Box flexDirection="column" borderStyle="round" borderColor="yellow" paddingX={1}>
      <Text bold>{over?.ended === null || over === null ? '' : problemText(locale, over.ended)}</Text>
      {over?.stage === 'form' ? <Box><Text>{user?.account} {t(locale, 'cli.askPassword')}</Text><TextInput value={password} onChange={setPassword} onSubmit={submit} isActive={can.signIn} isSecret /></Box> : null}
      {problem === null ? null : <Fault>{problemText(locale, problem)}</Fault>}
      {busy ? <Text dimColor>{t(locale, 'common.loading')}</Text> : <Keys bindings={bindings} />}
    </Box>
  )
}

/** A session that ends does not end what is open: sign-in stands over it, and the person goes on (contract §3). */
export const SignInOver = ({ session, locale, children }: OverProps & { readonly children: (isCovered: boolean) => ReactNode }) => {
  const isOver = useSelector(session, (s) => s.hasTag('expired'))
  return <Box flexDirection="column">{children(isOver)}{isOver ? <Over session={session} locale={locale} /> : null}</Box>
}
