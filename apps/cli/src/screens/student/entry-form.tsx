import type { Locale } from '@jiaowu/api/locale'
import { type Message, messageText, t } from '@jiaowu/api/texts/index'
import { type Problem, problemText } from '@jiaowu/api/problem'
import { Box } from 'ink'
import { TextInput } from '../text-input.tsx'
import { type Binding, Fault, Keys, offer, Text, useBindings } from '../ui.tsx'
import { Captcha, type DrawPicture, type SmsActor, SmsNote, useSms } from './sms-part.tsx'

interface EntryFormProps<F extends string> {
  readonly title: string
  readonly fields: readonly (readonly [field: F, label: string])[]
  readonly values: Readonly<Record<F, string>>
  readonly faults: Readonly<Partial<Record<F, Message>>>
  readonly problem: Problem | null
  readonly busy: boolean
  readonly canAsk: boolean
  readonly submitText: string
  /** Field with the cursor. */
  readonly focus: F
  readonly onFocus: (field: F) => void
  readonly onChange: (field: F, value: string) => void
  readonly onBlur: (field: F) => void
  readonly onAsk: () => void
  readonly onSubmit: () => void
  readonly sms: SmsActor
  readonly draw: DrawPicture
  readonly locale: Locale
  readonly more: readonly Binding[]
}

/** Sign-in or registration form of students: text fields, the last one for the SMS code. */
export function EntryForm<F extends string>({
  title,
  fields,
  values,
  faults,
  problem,
  busy,
  canAsk,
  submitText,
  focus,
  onFocus,
  onChange,
  onBlur,
  onAsk,
  onSubmit,
  sms,
  draw,
  locale,
  more,
}: EntryFormProps<F>) {
  const at = Math.max(
    0,
    fields.findIndex(([field]) => field === focus),
  )
  const { captcha, can } = useSms(sms)
  const isCovered = captcha !== null
  const go = (to: number) => {
    const next = fields[(to + fields.length) % fields.length]?.[0]
    onBlur(focus)
    if (next !== undefined) onFocus(next)
  }
  const bindings = [
    ...offer(!busy, '↓', t(locale, 'cli.key.move'), () => go(at + 1)),
    ...offer(!busy, 'tab', '', () => go(at + 1)),
    ...offer(!busy, '↑', '', () => go(at - 1)),
    ...offer(!busy, 'shift-tab', '', () => go(at - 1)),
    ...offer(!busy && canAsk && can.ask, '^g', t(locale, 'studentPage.getCode'), onAsk),
    ...offer(!busy, 'enter', submitText, () => {}),
    ...(busy ? [] : more),
  ]
  useBindings(bindings, !isCovered)
  return (
    <Box flexDirection="column">
      <Text bold>{title}</Text>
      {fields.map(([field, label], index) => {
        const fault = faults[field]
        return (
          <Box key={field} flexDirection="column">
            <Box>
              <Box width={24} flexShrink={0}>
                <Text bold={index === at}>
                  {index === at ? '❯ ' : '  '}
                  {label}
                </Text>
              </Box>
              <TextInput
                value={values[field]}
                onChange={(value) => onChange(field, value)}
                onSubmit={onSubmit}
                isActive={index === at && !isCovered && !busy}
              />
              {index === fields.length - 1 ? <SmsNote actor={sms} locale={locale} /> : null}
            </Box>
            {fault === undefined ? null : <Fault>{messageText(locale, fault)}</Fault>}
          </Box>
        )
      })}
      {problem === null ? null : <Fault>{problemText(locale, problem)}</Fault>}
      {busy ? <Text dimColor>{t(locale, 'common.loading')}</Text> : null}
      {isCovered ? (
        <Captcha actor={sms} locale={locale} draw={draw} />
      ) : (
        <Keys bindings={bindings} />
      )}
    </Box>
  )
}
