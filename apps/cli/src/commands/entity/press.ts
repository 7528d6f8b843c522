import { ApiProblem } from '@jiaowu/api/problem'
import type { Button } from '@jiaowu/api/entity/definition/button'
import { messageText, t } from '@jiaowu/api/texts/index'
import type { Row, WireValue } from '@jiaowu/api/entity/values'
import type { ButtonEffect } from '@jiaowu/machines/buttons/actions'
import { buttonsActors } from '@jiaowu/machines/buttons/ports'
import { buttonsMachine } from '@jiaowu/machines/buttons/machine'
import { buttonsView } from '@jiaowu/machines/buttons/view'
import { createActor, waitFor } from 'xstate'
import type { CommandLine } from '../../command-line.ts'
import { buttonNamed } from '../../entities/record-buttons.ts'
import { CommandError, exitCodes } from '../../exit.ts'
import { buttonsPorts } from '../../ports/buttons-ports.ts'
import type { ButtonsActor } from '../../screens/form/press-screen.tsx'
import { connect, type Connection } from '../../session/connect.ts'

interface PressFlags {
  readonly yes?: boolean
}

/** `entity press TAG ID BUTTON`: runs a record's button and saves the fields that it sets. */
export async function pressButton(
  line: CommandLine,
  tag: string,
  id: string,
  wanted: string,
  { yes = false }: PressFlags,
): Promise<void> {
  const { locale, output, signal } = line
  const connection = connect(line)
  const { api } = connection
  const [config, row, user] = await Promise.all([
    api.entityData.config({ params: { tag }, signal }),
    api.entityData.get({ params: { tag, id }, signal }),
    api.session.whoami({ signal }),
  ])
  const button = buttonNamed(line, config, row, user, wanted)
  const effects = await run(line, connection, { tag, button, row, yes })
  const fields = collectSetFields(effects)
  const opened = effects.flatMap((effect) =>
    effect.type === 'open' ? [`${line.server}/#${effect.to}`] : [],
  )
  const messages = effects.flatMap((effect) => (effect.type === 'message' ? [effect.text] : []))
  for (const message of messages) output.talk(message)
  for (const address of opened) output.talk(t(locale, 'cli.press.open', { address }))
  if (Object.keys(fields).length > 0) await saveFields(line, connection, tag, id, fields)
  output.done(
    { button: button.code, id, fields, opened, messages },
    t(locale, 'cli.press.done', { name: button.name }),
    id,
  )
}

interface Press {
  readonly tag: string
  readonly button: Button
  readonly row: Row
  readonly yes: boolean
}

/** Presses the button and waits for its end. @returns its effects, in order */
async function run(
  line: CommandLine,
  connection: Connection,
  { tag, button, row, yes }: Press,
): Promise<readonly ButtonEffect[]> {
  const effects: ButtonEffect[] = []
  const actor = createActor(
    buttonsMachine.provide({ actors: buttonsActors(buttonsPorts(line, connection.api)) }),
    { input: { tag } },
  )
  actor.on('*', (effect) => {
    effects.push(effect)
  })
  actor.start()
  const press = () => {
    actor.send({ type: 'button.press', button, row })
    // A command that names a record and a button is meant; only the definition's own question is asked.
    const { step, question } = buttonsView(actor.getSnapshot())
    if (yes || (step === 'asking' && typeof question !== 'string'))
      actor.send({ type: 'press.confirm' })
  }
  try {
    if (line.interactive) await runOnScreen(line, connection, actor, press)
    else await runUnattended(line, actor, press)
  } finally {
    actor.stop()
  }
  if (buttonsView(actor.getSnapshot()).outcome !== 'done')
    throw new CommandError(
      exitCodes.interrupted,
      t(line.locale, 'cli.press.abandoned', { name: button.name }),
    )
  return effects
}

async function runOnScreen(
  line: CommandLine,
  connection: Connection,
  actor: ButtonsActor,
  press: () => void,
): Promise<void> {
  const { loadScreen } = await import('../../screens/load-screen.ts')
  const { openPress } = await loadScreen(line, () => import('../../screens/open-press.tsx'))
  await openPress(line, connection, actor, press)
}

/** Off a terminal: a question needs `--yes`, a failure ends the command with the server's text. */
async function runUnattended(
  { locale }: CommandLine,
  actor: ButtonsActor,
  press: () => void,
): Promise<void> {
  press()
  const { step, pressed, question, problem } = buttonsView(
    await waitFor(actor, (snapshot) => buttonsView(snapshot).step !== 'pressing'),
  )
  if (step === 'asking')
    throw new CommandError(
      exitCodes.usage,
      t(locale, 'cli.press.needYes', {
        name: pressed?.name ?? '',
        question:
          question === null
            ? ''
            : typeof question === 'string'
              ? question
              : messageText(locale, question),
      }),
    )
  if (problem !== null) throw new ApiProblem(problem)
}

function collectSetFields(effects: readonly ButtonEffect[]): Record<string, WireValue> {
  return Object.fromEntries(
    effects.flatMap((effect) =>
      effect.type === 'setField' ? [[effect.attrName, effect.value] as const] : [],
    ),
  )
}

/**
 * Saves the fields that the button set, since no form is open here. Its requests may have changed
 * the version: read it again.
 */
async function saveFields(
  { locale, output, signal }: CommandLine,
  { api }: Connection,
  tag: string,
  id: string,
  fields: Readonly<Record<string, WireValue>>,
): Promise<void> {
  const { version } = await api.entityData.get({ params: { tag, id }, signal })
  await api.entityData.update({
    params: { tag, id },
    body: { ...fields, ...(version === undefined ? {} : { version }) },
    signal,
  })
  output.talk(`${t(locale, 'form.modified')}: ${id}`)
}
