import type { Locale } from '@jiaowu/api/locale'
import { problemText } from '@jiaowu/api/problem'
import { t } from '@jiaowu/api/texts/index'
import type { countdownMachine } from '@jiaowu/machines/countdown/machine'
import type { smsCodeMachine } from '@jiaowu/machines/sms-code/machine'
import { smsCodeView } from '@jiaowu/machines/sms-code/view'
import { useSelector } from '@xstate/react'
import { Box } from 'ink'
import type { ActorRefFrom } from 'xstate'
import { TextInput } from '../text-input.tsx'
import { Fault, Keys, offer, Text, useBindings } from '../ui.tsx'
import { useView } from '../use-view.ts'

export type SmsActor = ActorRefFrom<typeof smsCodeMachine>
/**
 * Draws a captcha as lines of half blocks, and saves it to a file for fonts without half blocks.
 */
export type DrawPicture = (image: string) => {
  readonly lines: readonly string[]
  readonly path: string | null
}
interface SmsProps {
  readonly actor: SmsActor
  readonly locale: Locale
  readonly draw: DrawPicture
}

export function useSms(actor: SmsActor) {
  return useView(actor, smsCodeView)
}

export function useSecondsLeft(
  actor: ActorRefFrom<typeof countdownMachine> | undefined,
): number | null {
  return useSelector(actor, (snapshot) => snapshot?.context.secondsLeft ?? null)
}

/** Captcha with its answer. Handles all keys until it is answered or cancelled. */
export function Captcha({ actor, locale, draw }: SmsProps) {
  const { captcha, can } = useSms(actor)
  const bindings = [
    ...offer(can.submit, 'enter', t(locale, 'common.ok'), () => {}),
    ...offer(can.renew, '^r', t(locale, 'studentPage.captchaNew'), () =>
      actor.send({ type: 'captcha.renew' }),
    ),
    ...offer(can.cancel, 'esc', t(locale, 'common.cancel'), () =>
      actor.send({ type: 'captcha.cancel' }),
    ),
  ]
  useBindings(bindings)
  if (captcha === null) return null
  const picture = captcha.image === null ? null : draw(captcha.image)
  return (
    <Box flexDirection="column" borderStyle="round" borderColor="cyan" paddingX={1}>
      <Text bold>{t(locale, 'studentPage.captchaTitle')}</Text>
      {picture === null ? (
        captcha.step === 'failed' ? null : (
          <Text dimColor>{t(locale, 'common.loading')}</Text>
        )
      ) : (
        picture.lines.map((line, index) => <Text key={`${index} ${line}`}>{line}</Text>)
      )}
      {picture === null || picture.path === null ? null : (
        <Text dimColor>{t(locale, 'cli.picture', { path: picture.path })}</Text>
      )}
      <Box>
        <Text>{t(locale, 'studentPage.captchaInput')}: </Text>
        <TextInput
          value={captcha.answer}
          onChange={(answer) => {
            if (can.type) actor.send({ type: 'captcha.type', answer })
          }}
          onSubmit={() => {
            if (can.submit) actor.send({ type: 'captcha.submit' })
          }}
          isActive={can.type}
        />
      </Box>
      {captcha.problem === null ? null : <Fault>{problemText(locale, captcha.problem)}</Fault>}
      <Keys bindings={bindings} />
    </Box>
  )
}

/** Note beside the code: the time until the next request, or why no SMS was sent. */
export function SmsNote({ actor, locale }: Omit<SmsProps, 'draw'>) {
  const { step, problem } = useSms(actor)
  const left = useSecondsLeft(useSelector(actor, (snapshot) => snapshot.children.smsLock))
  return (
    <>
      {step === 'locked' && left !== null ? (
        <Text dimColor>
          {'  '}
          {t(locale, 'studentPage.resendIn', { n: left })}
        </Text>
      ) : null}
      {step === 'sending' ? (
        <Text dimColor>
          {'  '}
          {t(locale, 'common.loading')}
        </Text>
      ) : null}
      {problem === null ? null : (
        <Text color="red">
          {'  '}✗ {problemText(locale, problem)}
        </Text>
      )}
    </>
  )
}
