import { downloadActors, downloadMachine, registerWith, signInWith } from '@jiaowu/machines'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { useEffect, useState } from 'react'
import { createActor } from 'xstate'
import type { CommandLine } from '../../command-line.ts'
import { type Connection, startSession } from '../../session/connect.ts'
import { halfBlocks } from '../../terminal/half-blocks.ts'
import { keptFacts } from '../../ports/kept-facts.ts'
import { downloadPorts, registerPorts, signInPorts, smsPorts } from '../../ports/student-ports.ts'
import { clean } from '../../terminal/terminal-text.ts'
import { runScreen } from '../run-screen.tsx'
import { type DownloadActor, DownloadScreen } from './download-screen.tsx'
import { type RegisterActor, type SignInActor, SignInScreen } from './sign-in-screen.tsx'
import type { DrawPicture } from './sms-part.tsx'

interface Door {
  readonly at: 'door'
  readonly signIn: SignInActor
  readonly register: RegisterActor
}
interface Home {
  readonly at: 'home'
  readonly connection: Connection
  readonly download: DownloadActor
}

const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'))
const fileName = (name: string) => clean(name).replace(/[\\/:*?"<>|\s]+/g, '-') || 'preview'

interface StudentProps {
  readonly line: CommandLine
  readonly folder: string | undefined
  readonly leave: () => void
}

/** The students' service, until it is left. */
export function openStudent(line: CommandLine, folder: string | undefined): Promise<null> {
  return runScreen<null>(line, (left) => (
    <Student line={line} folder={folder} leave={() => left(null)} />
  ))
}

function Student({ line, folder, leave }: StudentProps) {
  const [saved] = useState<{ path: string | null }>({ path: null })
  const [enter] = useState(() =>
    rooms(line, folder, (path) => {
      saved.path = path
    }),
  )
  const [draw] = useState(drawPicture)
  const [room, setRoom] = useState<Door | Home>(enter)
  useEffect(() => {
    if (room.at === 'door') {
      const told = room.signIn.on('signedIn', () => setRoom(enter()))
      room.signIn.start()
      room.register.start()
      return () => {
        told.unsubscribe()
        room.signIn.stop()
        room.register.stop()
      }
    }
    const {
      download,
      connection: { session },
    } = room
    const out = () => {
      session.send({ type: 'session.signOut' })
      void line.sessions.signedOut(line.profile).then(() => setRoom(enter()))
    }
    const ended = download.on('ended', out)
    // A session that ended closes what is open, as signing out does; the way back in is the door.
    const watching = session.subscribe((s) => {
      if (s.hasTag('expired') || s.hasTag('signedOut')) download.send({ type: 'session.end' })
    })
    download.start()
    return () => {
      ended.unsubscribe()
      watching.unsubscribe()
      download.stop()
    }
  }, [room, enter, line])
  if (room.at === 'door')
    return (
      <SignInScreen
        actor={room.signIn}
        register={room.register}
        locale={line.locale}
        draw={draw}
        leave={leave}
      />
    )
  const savePreview = (base64: string, name: string) => {
    const path = join(folder ?? '.', `${fileName(name)}-preview.pdf`)
    writeFileSync(path, bytesOf(base64))
    return path
  }
  return (
    <DownloadScreen
      actor={room.download}
      locale={line.locale}
      savePreview={savePreview}
      savedTo={() => saved.path}
      leave={leave}
    />
  )
}

/** The two rooms of the students' service: the door, and the home behind it. Each has its actors, made when it is entered. */
function rooms(line: CommandLine, folder: string | undefined, savedTo: (path: string) => void) {
  const kept = keptFacts(line)
  const home = (connection: Connection): Home => {
    const account = line.sessions.get(line.profile)?.account ?? ''
    const download = createActor(
      downloadMachine.provide({
        actors: downloadActors(downloadPorts(connection.api, line, folder, savedTo)),
      }),
      { input: { account, facts: kept.read().order, now: Date.now } },
    )
    download.on('facts', ({ facts }) => kept.keep({ order: facts }))
    return { at: 'home', connection, download }
  }
  return (): Door | Home => {
    const connection = startSession(line, null)
    if (connection.session.getSnapshot().context.facts !== null) return home(connection)
    const ports = { ...signInPorts(connection.api, line), ...smsPorts(connection.api) }
    const signIn = createActor(signInWith(ports), {
      input: { smsFacts: kept.read().sms, now: Date.now },
    })
    const register = createActor(
      registerWith({ ...registerPorts(connection.api), ...smsPorts(connection.api) }),
      { input: { now: Date.now } },
    )
    signIn.subscribe((s) => {
      const lock = s.children.smsCode?.getSnapshot().context.lockedUntil ?? 0
      if (lock !== (kept.read().sms?.lockedUntil ?? 0))
        kept.keep({ sms: lock === 0 ? null : { version: 1, lockedUntil: lock } })
    })
    register.on('registered', ({ mobile }) =>
      signIn.send({ type: 'field.change', field: 'mobile', value: mobile }),
    )
    return { at: 'door', signIn, register }
  }
}

/** The captcha in half blocks, and as a file. */
function drawPicture(): DrawPicture {
  const drawn = new Map<string, ReturnType<DrawPicture>>()
  return (image) => {
    const known = drawn.get(image)
    if (known !== undefined) return known
    const bytes = bytesOf(image.slice(image.indexOf(',') + 1))
    const path = join(tmpdir(), 'jiaowu-captcha.png')
    writeFileSync(path, bytes, { mode: 0o600 })
    const made = { lines: halfBlocks(bytes), path }
    drawn.set(image, made)
    return made
  }
}
