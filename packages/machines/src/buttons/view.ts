import type { Button } from '@jiaowu/api/entity/definition/button'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { Message } from '@jiaowu/api/texts/index'
import type { Problem } from '@jiaowu/api/problem'
import { type ExpressionScope, visible } from '@jiaowu/validation'
import type { SnapshotFrom } from 'xstate'
import type { buttonsMachine } from './machine.ts'
import { isPermitted } from './permitted.ts'
import { pressQuestion } from './question.ts'

/** The pressed button as a surface shows it. */
export interface ButtonsView {
  readonly step: 'idle' | 'asking' | 'pressing' | 'refused' | 'closed'
  readonly pressed: { readonly code: string; readonly name: string } | null
  /** How the last press ended; null before the first and while one is under way. */
  readonly outcome: 'done' | 'abandoned' | null
  /** The question the definition asks before the press; set in `asking` only. */
  readonly question: string | Message | null
  /** Why the last action failed; set in `refused` only. */
  readonly problem: Problem | null
  readonly can: {
    readonly press: boolean
    readonly confirm: boolean
    readonly cancel: boolean
    readonly retry: boolean
    readonly dismiss: boolean
  }
}

/** `can.press` is asked with this: the machine refuses a press by its state alone. */
const anyButton: Button = {
  code: 'any',
  name: '',
  icon: null,
  status: 1,
  position: 3,
  positionExp: null,
  eventType: 1,
  eventContent: [],
}

export function buttonsView(s: SnapshotFrom<typeof buttonsMachine>): ButtonsView {
  const { pressed, outcome, problem } = s.context
  return {
    step: resolveButtonsStep(s),
    pressed: pressed === null ? null : { code: pressed.button.code, name: pressed.button.name },
    outcome,
    question:
      s.matches('asking') && pressed !== null
        ? pressQuestion(pressed.button, pressed.row, null)
        : null,
    problem,
    can: {
      press: s.can({ type: 'button.press', button: anyButton, row: null }),
      confirm: s.can({ type: 'press.confirm' }),
      cancel: s.can({ type: 'press.cancel' }),
      retry: s.can({ type: 'press.retry' }),
      dismiss: s.can({ type: 'press.dismiss' }),
    },
  }
}

function resolveButtonsStep(s: SnapshotFrom<typeof buttonsMachine>): ButtonsView['step'] {
  if (s.matches('closed')) return 'closed'
  if (s.matches('asking')) return 'asking'
  return s.hasTag('busy') ? 'pressing' : s.hasTag('refused') ? 'refused' : 'idle'
}

/**
 * The buttons of some positions that are shown for a record: those whose expression holds and
 * whose actions the user may do.
 * @param permissions null: not known, the server decides
 * @param onHidden called when an expression throws, which hides its button
 * (docs/spec/1-entity-console.md §4)
 */
export function shownButtons(
  { buttons }: Pick<EntityConfig, 'buttons'>,
  positions: readonly Button['position'][],
  scope: ExpressionScope,
  onHidden: (code: string, error: unknown) => void,
  permissions: readonly string[] | null,
): readonly Button[] {
  return buttons.filter(
    (button) =>
      positions.includes(button.position) &&
      (permissions === null || isPermitted(button, permissions)) &&
      visible(button.positionExp, scope, (error) => onHidden(button.code, error)),
  )
}
