import { isMoney, valueText } from '@jiaowu/api/fields/money'
import { findKind } from '@jiaowu/api/fields/kinds'
import type { UiType } from '@jiaowu/api/entity/enums'
import type { WireValue } from '@jiaowu/api/entity/values'
import { sentValue } from '@jiaowu/validation'
import { useState } from 'react'
import { TextInput } from '../screens/text-input.tsx'
import { offer, Text, useBindings } from '../screens/ui.tsx'
import { cellText } from './index.ts'
import { ChoicePrompt } from './choice-prompt.tsx'
import type { PromptProps } from './prompt-props.ts'

const SecretPrompt = (props: PromptProps) => <TypedPrompt {...props} isSecret />

/** Prompt of a terminal form, by field kind (docs/rules/design.md#field-kinds). */
export const prompts = {
  input: TypedPrompt,
  textarea: TypedPrompt,
  password: SecretPrompt,
  inputNumber: TypedPrompt,
  select: ChoicePrompt,
  multiSelect: ChoicePrompt,
  checkbox: ChoicePrompt,
  radio: ChoicePrompt,
  switch: FlagPrompt,
  date: TypedPrompt,
  datetime: TypedPrompt,
  year: TypedPrompt,
  time: TypedPrompt,
  rate: TypedPrompt,
  selectTree: ChoicePrompt,
  multiSelectTree: ChoicePrompt,
  group: ShownPrompt,
  separate: ShownPrompt,
  uploadImg: ShownPrompt,
  richTextEditor: TypedPrompt,
} as const satisfies Record<UiType, (props: PromptProps) => React.ReactNode>

/**
 * Keeps the typed text while the prompt is active; afterwards shows the value in the canonical form
 * of its kind.
 */
function TypedPrompt(props: PromptProps & { readonly isSecret?: boolean }) {
  const { value, onChange, isActive, isSecret = false } = props
  const [typed, setTyped] = useState<{ readonly text: string; readonly of: WireValue } | null>(null)
  const shown =
    typed !== null && isActive && typed.of === value ? typed.text : formatPromptText(props)
  const change = (text: string) => {
    const value = text === '' ? null : isMoney(props.field) ? sentValue(props.field, text) : text
    setTyped({ text, of: value })
    onChange(value)
  }
  return (
    <TextInput
      value={shown}
      onChange={change}
      isActive={isActive}
      isSecret={isSecret}
      placeholder={props.field.options.placeholder ?? ''}
    />
  )
}

function formatPromptText({ field, value }: PromptProps) {
  return findKind(field.uiType).verbatim ? String(value ?? '') : valueText(field, value)
}

/** Yes or no; Space toggles it. */
function FlagPrompt({ field, value, onChange, isActive, locale }: PromptProps) {
  useBindings(
    offer(isActive, 'space', '', () => onChange(value === '1' ? '0' : '1')),
    isActive,
  )
  return <Text inverse={isActive}>{cellText(field, value, locale) || '-'}</Text>
}

/** Read-only, for kinds that a terminal cannot edit, such as images. */
function ShownPrompt({ field, value, isActive, locale }: PromptProps) {
  return <Text inverse={isActive}>{cellText(field, value, locale) || '-'}</Text>
}
