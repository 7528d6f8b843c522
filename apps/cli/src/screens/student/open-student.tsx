import { downloadActors } from '@jiaowu/machines/download/ports'
import { downloadMachine } from '@jiaowu/machines/download/machine'
import { registerWith } from '@jiaowu/machines/register/machine'
import { signInWith } from '@jiaowu/machines/sign-in/machine'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { useEffect, useState } from 'react'
import { createActor } from 'xstate'
import type { CommandLine } from '../../command-line.ts'
import { type Connection, startSession } from '../../session/connect.ts'
import { halfBlocks } from '../../terminal/half-blocks.ts'
import { storedFacts } from '../../ports/stored-facts.ts'
import { downloadPorts, registerPorts, signInPorts, smsPorts } from '../../ports/student-ports.ts'
import { clean } from '../../terminal/terminal-text.ts'
import { runScreen } from '../run-screen.tsx'
import { DownloadScreen } from './download-screen.tsx'
import type { DownloadActor } from './screen-props.ts'
import {
  type RegisterActor,
  type SessionOver,
  type SignInActor,
  SignInScreen,
} from './sign-in-screen.tsx'
import type { DrawPicture } from './sms-part.tsx'

/** The user is signed out. */
interface SignInStage {
  readonly at: 'signIn'
  readonly signIn: SignInActor
  readonly register: RegisterActor
  /** The session that has just ended; absent after a sign-out. */
  readonly over?: SessionOver
}

/** The user is signed in. */
interface DownloadStage {
  readonly at: 'download'
  readonly connection: Connection
  readonly download: DownloadActor
}

const decodeBase64 = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'))
const fileName = (name: string) => clean(name).replace(/[\\/:*?"<>|\s]+/g, '-') || 'preview'

interface StudentProps {
  readonly line: CommandLine
  readonly folder: string | undefined
  readonly leave: () => void
}

/** Shows the service for students until the user leaves it. */
export function openStudent(line: CommandLine, folder: string | undefined): Promise<null> {
  return runScreen<null>(line, (leave) => (
    <Student line={line} folder={folder} leave={() => leave(null)} />
  ))
}

function Student({ line, folder, leave }: StudentProps) {
  const [saved] = useState<{ path: string | null }>({ path: null })
  const [nextStage] = useState(() =>
    createStages(line, folder, (path) => {
      saved.path = path
    }),
  )
  const [draw] = useState(drawPicture)
  const [stage, setStage] = useState<SignInStage | DownloadStage>(() => nextStage())
  useEffect(() => {
    if (stage.at === 'signIn') {
      const subscription = stage.signIn.on('signedIn', () => setStage(nextStage()))
      stage.signIn.start()
      stage.register.start()
      return () => {
        subscription.unsubscribe()
        stage.signIn.stop()
        stage.register.stop()
      }
    }
    const {
      download,
      connection: { session },
    } = stage
    let over: SessionOver | undefined
    const signOut = () => {
      session.send({ type: 'session.signOut' })
      void line.sessions.signedOut(line.profile).then(() => setStage(nextStage(over)))
    }
    const ended = download.on('ended', signOut)
    // An expired session ends the download like a sign-out, and leads back to the sign-in form, which says so.
    const sessionWatch = session.subscribe((s) => {
      if (s.hasTag('expired')) over = { ended: s.context.ended }
      if (s.hasTag('expired') || s.hasTag('signedOut')) download.send({ type: 'session.end' })
    })
    download.start()
    return () => {
      ended.unsubscribe()
      sessionWatch.unsubscribe()
      download.stop()
    }
  }, [stage, nextStage, line])
  if (stage.at === 'signIn')
    return (
      <SignInScreen
        actor={stage.signIn}
        register={stage.register}
        locale={line.locale}
        draw={draw}
        leave={leave}
        {...(stage.over === undefined ? {} : { over: stage.over })}
      />
    )
  const savePreview = (base64: string, name: string) => {
    const path = join(folder ?? '.', `${fileName(name)}-preview.pdf`)
    writeFileSync(path, decodeBase64(base64), { mode: 0o600 })
    return path
  }
  return (
    <DownloadScreen
      actor={stage.download}
      locale={line.locale}
      savePreview={savePreview}
      savedTo={() => saved.path}
      leave={leave}
    />
  )
}

/** Returns a function that creates the stage for the current session, with new actors. */
function createStages(
  line: CommandLine,
  folder: string | undefined,
  savedTo: (path: string) => void,
) {
  const facts = storedFacts(line)
  const downloadStage = (connection: Connection): DownloadStage => {
    const account = line.sessions.get(line.profile)?.account ?? ''
    const download = createActor(
      downloadMachine.provide({
        actors: downloadActors(downloadPorts(connection.api, line, folder, savedTo)),
      }),
      { input: { account, facts: facts.read().order, now: Date.now } },
    )
    download.on('facts', ({ facts: order }) => facts.write({ order }))
    return { at: 'download', connection, download }
  }
  return (over?: SessionOver): SignInStage | DownloadStage => {
    const connection = startSession(line, null)
    if (connection.session.getSnapshot().context.facts !== null) return downloadStage(connection)
    const ports = { ...signInPorts(connection.api, line), ...smsPorts(connection.api) }
    const signIn = createActor(signInWith(ports), {
      input: { smsFacts: facts.read().sms, now: Date.now },
    })
    const register = createActor(
      registerWith({ ...registerPorts(connection.api), ...smsPorts(connection.api) }),
      { input: { now: Date.now } },
    )
    signIn.subscribe((s) => {
      const lock = s.children.smsCode?.getSnapshot().context.lockedUntil ?? 0
      if (lock !== (facts.read().sms?.lockedUntil ?? 0))
        facts.write({ sms: lock === 0 ? null : { version: 1, lockedUntil: lock } })
    })
    register.on('registered', ({ mobile }) =>
      signIn.send({ type: 'field.change', field: 'mobile', value: mobile }),
    )
    return { at: 'signIn', signIn, register, ...(over === undefined ? {} : { over }) }
  }
}

/** Draws captchas as half blocks and saves them to a file; each picture once. */
function drawPicture(): DrawPicture {
  const drawn = new Map<string, ReturnType<DrawPicture>>()
  let folder: string | undefined
  return (image) => {
    const known = drawn.get(image)
    if (known !== undefined) return known
    const bytes = decodeBase64(image.slice(image.indexOf(',') + 1))
    // A new folder, which other users of the machine cannot write: no link can stand at the path.
    folder ??= mkdtempSync(join(tmpdir(), 'jiaowu-'))
    const path = join(folder, 'captcha.png')
    writeFileSync(path, bytes, { mode: 0o600 })
    const picture = { lines: halfBlocks(bytes), path }
    drawn.set(image, picture)
    return picture
  }
}
