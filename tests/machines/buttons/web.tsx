import type { Button } from '@jiaowu/api/entity/definition/button'
import { buttonPositions } from '@jiaowu/api/entity/enums'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import { buttonsView } from '@jiaowu/machines/buttons/view'
import { emitEffect } from '@jiaowu/path-tests'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { FormOverlay } from '../../../apps/web/src/features/entity-form/form-overlay.tsx'
import { sentence, zh } from '../../surfaces/sentences.ts'
import { findFirst, loadingButtons, page } from '../../surfaces/web/dom/by-role.ts'
import { type EffectLog, toastText } from '../../surfaces/web/dom/effects.ts'
import { byPage, custom, inTurn, offeredAs, withoutOffer } from '../../surfaces/web/dom/gestures.ts'
import { readText } from '../../surfaces/web/dom/dom.ts'
import { textsLike } from '../../surfaces/web/dom/reads.ts'
import { wrapData, type Asked } from '../../surfaces/web/http/held-fetch.ts'
import { type Host, createWebDriver } from '../../surfaces/web/table.ts'
import { formConfig } from '../entity-form/model.ts'
import { buttonsModels } from './model.ts'
import { buttons, record } from './samples.ts'

type Start = 'form' | 'details'
/** The buttons of each place, by the events of its model. */
const shown: Readonly<Record<Start, readonly Button[]>> = {
  form: [buttons.set, buttons.ask],
  details: [buttons.tell, buttons.send, buttons.ask, buttons.sql],
}

const dialog = page.dialog()
const refusal = dialog.alert
const nameField = dialog.css<HTMLInputElement>('input[id$="-name"]')
const confirm = page.question.button().where((each) => readText(each) !== zh('common.cancel')).press

/** The buttons above a form or the details as a user sees them. */
export const buttonsWeb = createWebDriver<typeof buttonsView>({
  model: buttonsModels,
  view: buttonsView,
  isGone: dialog.isAbsent.is(({ step }) => step === 'closed'),
  readings: {
    busy: loadingButtons.names.is(({ step, pressed }) =>
      step === 'pressing' ? (pressed?.name ?? '') : '',
    ),
    question: page.question.css('p').texts.is(({ step, c: { pressed } }) => {
      if (step !== 'asking' || pressed === null) return ''
      const { confirm: own, name } = pressed.button
      return own ?? zh('press.ask', { name: pressed.row?.id ?? '', button: name })
    }),
    problem: textsLike(/^m\d+$/).is(({ problem }) => sentence(problem?.message)),
  },
  says: {},
  offers: 'of the concern',
  gestures: {
    'button.press': ({ button: { name } }) => {
      const { press } = dialog.button(name)
      // Text that is typed before tells whether the button sets the field.
      const typing = nameField.fill('typed')
      return offeredAs(
        byPage(() => (nameField.isShown() ? inTurn(typing, press) : press)),
        press,
      )
    },
    'press.confirm': confirm,
    'press.cancel': page.question.button(zh('common.cancel')).press,
    'press.retry': refusal.button(zh('common.retry')).press,
    'press.dismiss': refusal.button(zh('common.close')).press,
    'buttons.close': withoutOffer(
      inTurn(
        findFirst(dialog.button(zh('common.cancel')), dialog.button(zh('common.close')).nth(-1))
          .press,
        custom((held) => {
          if (page.question.isShown()) confirm.run(held)
        }),
      ),
    ),
  },
  // An open question stands before the form.
  hidden: { 'buttons.close': ({ step }) => step === 'asking' },
  calls: {
    '/entity/A/button/:id': ['loadActions', (_asked, code) => ({ tag: 'A', code })],
    'POST /entity/B/data': request('create'),
    'PUT /entity/B/data/:id': request('update'),
    'DELETE /entity/B/data/:id': request('remove'),
  },
  toasts: (toast) => ({
    type: 'message',
    tone: tones.find((each) => toast.classList.contains(`bp6-intent-${each}`)) ?? 'info',
    text: toastText(toast),
  }),
  host: createButtonsHost,
})

function request(method: string) {
  return [
    'sendRequest',
    ({ body }: Asked, id: string) => ({ tag: 'B', method, id, values: body }),
  ] as const
}

const tones = ['success', 'warning', 'danger'] as const

function createButtonsHost(effects: EffectLog): Host {
  let [reads, isSet, start]: [number, boolean, Start] = [0, false, 'details']
  const onOpen = (to: string) =>
    effects.add({ type: 'open', to, where: 'tab', title: buttons.tell.name })
  return {
    show: (given) => {
      start = given as Start
      return <Window start={start} onOpen={onOpen} />
    },
    background: ({ method, path }) => {
      if (path === '/entity/A/config') return wrapData(buildStartConfig(start))
      if (path !== '/entity/A/data/1' || method !== 'GET') return wrapData([])
      reads += 1
      if (reads > 1) effects.add({ type: 'refresh' })
      return wrapData(record)
    },
    reply: (port, { output }, { method }) =>
      wrapData(
        port === 'loadActions'
          ? { actions: output }
          : method === 'DELETE'
            ? { deleted: 1 }
            : { id: '1' },
      ),
    before: ({ event }) => {
      if (event.type === 'button.press') isSet = false
    },
    takeEffects: () => {
      const sets = !isSet && nameField.value() === 'set'
      isSet ||= sets
      return [
        ...effects.take(),
        ...(sets ? [emitEffect({ type: 'setField', attrName: 'name', value: 'set' })] : []),
      ]
    },
  }
}

interface WindowProps {
  readonly start: Start
  readonly onOpen: (to: string) => void
}

/** The form's window as the list opens it, and the address that its buttons lead to. */
function Window({ start, onOpen }: WindowProps) {
  const [isOpen, setOpen] = useState(true)
  const { pathname, search, key } = useLocation()
  const first = useRef(key)
  useEffect(() => {
    if (key !== first.current) onOpen(`${pathname}${search}`)
  }, [key, pathname, search, onOpen])
  const close = () => setOpen(false)
  return (
    <FormOverlay
      config={buildStartConfig(start)}
      form={isOpen ? { id: '1', viewOnly: start === 'details' } : null}
      onEdit={null}
      onSaved={close}
      onClose={close}
    />
  )
}

function buildStartConfig(start: Start): EntityConfig {
  const { detailToolbar, editToolbar } = buttonPositions
  const position = start === 'form' ? editToolbar : detailToolbar
  return { ...formConfig, buttons: shown[start].map((each) => ({ ...each, position })) }
}
