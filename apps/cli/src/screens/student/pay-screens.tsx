import { problemText } from '@jiaowu/api/problem'
import { t } from '@jiaowu/api/texts/index'
import { downloadCountdown } from '@jiaowu/machines/download/view'
import { useSelector } from '@xstate/react'
import { Box } from 'ink'
import { qrLines } from '../../terminal/qr.ts'
import { Fault, Keys, offer, Text, useBindings } from '../ui.tsx'
import { type ScreenProps, yuan } from './screen-props.ts'
import { useSecondsLeft } from './sms-part.tsx'

export function Method({ view, send, locale }: ScreenProps) {
  const bindings = [
    ...offer(view.can.choose, 'enter', t(locale, 'studentPage.wechat'), () =>
      send({ type: 'pay.choose', method: 'wechat' }),
    ),
    ...offer(view.can.back, 'esc', t(locale, 'studentPage.previous'), () =>
      send({ type: 'pay.back' }),
    ),
  ]
  useBindings(bindings)
  return (
    <Box flexDirection="column">
      <Text bold>
        {t(locale, 'studentPage.method')}
        {'  '}
        {view.price === null ? '' : yuan(view.price, locale)}
      </Text>
      <Text>❯ {t(locale, 'studentPage.wechat')}</Text>
      <Text dimColor>
        {'  '}
        {t(locale, 'studentPage.alipay')}
        {'  '}
        {t(locale, 'studentPage.notYet')}
      </Text>
      {view.problem === null ? null : <Fault>{problemText(locale, view.problem)}</Fault>}
      <Keys bindings={bindings} />
    </Box>
  )
}

export function ScanPay(props: ScreenProps) {
  const { view, send, locale } = props
  const left = useCountdown(props)
  const bindings = offer(view.can.cancelPay, 'esc', t(locale, 'studentPage.cancel'), () =>
    send({ type: 'pay.cancel' }),
  )
  useBindings(bindings)
  const { codeUrl = null, amount = 0 } = view.order ?? {}
  // Beside the code, because a terminal of 24 lines has no room below it. The address has a line of its own, so that
  // it can be copied.
  return (
    <Box flexDirection="column">
      <Box columnGap={2} flexWrap="wrap">
        {codeUrl === null ? null : <Code url={codeUrl} />}
        <Box flexDirection="column">
          <Text bold>
            {t(locale, 'studentPage.scanTitle')}
            {'  '}
            {yuan(amount, locale)}
          </Text>
          {left === null ? null : <Text>{t(locale, 'studentPage.payWithin', { n: left })}</Text>}
          {view.problem === null ? null : <Fault>{problemText(locale, view.problem)}</Fault>}
          <Keys bindings={bindings} />
        </Box>
      </Box>
      {codeUrl === null ? null : <Text>{codeUrl}</Text>}
    </Box>
  )
}

function Code({ url }: { readonly url: string }) {
  return (
    <Box flexDirection="column" flexShrink={0}>
      {qrLines(url).map((line, index) => (
        <Text key={`${index} ${line}`} color="whiteBright" backgroundColor="black">
          {line}
        </Text>
      ))}
    </Box>
  )
}

function useCountdown({ actor }: ScreenProps) {
  return useSecondsLeft(useSelector(actor, downloadCountdown))
}

export function Closing({ locale }: ScreenProps) {
  return <Text dimColor>{t(locale, 'studentPage.closing')}</Text>
}

const failureTexts = {
  timedOut: ['studentPage.failedTitle', 'studentPage.payFailed'],
  closed: ['studentPage.failedTitle', 'studentPage.payFailed'],
  refunded: ['studentPage.refundedTitle', 'studentPage.refunded'],
  unmade: ['studentPage.unmadeTitle', 'studentPage.unmade'],
  unconfirmed: ['studentPage.beingCheckedTitle', 'studentPage.beingChecked'],
} as const

export function Failed({ view, send, locale }: ScreenProps) {
  const { can, failure } = view
  const bindings = [
    ...offer(can.check, 'enter', t(locale, 'studentPage.checkAgain'), () =>
      send({ type: 'failure.check' }),
    ),
    ...offer(can.repay, 'enter', t(locale, 'studentPage.repay'), () =>
      send({ type: 'failure.repay' }),
    ),
    ...offer(can.cancelFailure, 'esc', t(locale, 'studentPage.cancel'), () =>
      send({ type: 'failure.cancel' }),
    ),
  ]
  useBindings(bindings)
  const [title, text] = failureTexts[failure ?? 'closed']
  return (
    <Box flexDirection="column">
      <Text bold color="yellow">
        {t(locale, title)}
      </Text>
      <Text>{t(locale, text)}</Text>
      {view.problem === null ? null : <Fault>{problemText(locale, view.problem)}</Fault>}
      <Keys bindings={bindings} />
    </Box>
  )
}

export function Unsaved({ view, send, locale }: ScreenProps) {
  const bindings = [
    ...offer(view.can.retrySave, 'enter', t(locale, 'studentPage.again'), () =>
      send({ type: 'save.retry' }),
    ),
    ...offer(view.can.leaveSave, 'esc', t(locale, 'common.back'), () =>
      send({ type: 'save.leave' }),
    ),
  ]
  useBindings(bindings)
  return (
    <Box flexDirection="column">
      <Text bold color="yellow">
        {t(locale, 'studentPage.saveFailedTitle')}
      </Text>
      <Text>{t(locale, 'studentPage.saveFailed')}</Text>
      {view.problem === null ? null : <Fault>{problemText(locale, view.problem)}</Fault>}
      <Keys bindings={bindings} />
    </Box>
  )
}

export function Success(props: ScreenProps) {
  const { view, send, locale, savedTo } = props
  const left = useCountdown(props)
  const bindings = [
    ...offer(view.can.again, 'enter', t(locale, 'studentPage.again'), () =>
      send({ type: 'success.again' }),
    ),
    ...offer(view.can.home, 'h', t(locale, 'common.back'), () => send({ type: 'success.home' })),
  ]
  useBindings(bindings)
  const path = savedTo()
  return (
    <Box flexDirection="column">
      <Text bold color="green">
        {t(locale, 'studentPage.done')}
      </Text>
      {path === null ? null : <Text>{t(locale, 'cli.tr.savedTo', { path })}</Text>}
      {left === null ? null : <Text dimColor>{t(locale, 'studentPage.homeIn', { n: left })}</Text>}
      <Keys bindings={bindings} />
    </Box>
  )
}
