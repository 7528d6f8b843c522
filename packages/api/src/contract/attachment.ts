import * as v from 'valibot'
import { endpoint, fileEndpoint } from '../endpoint.ts'
import { text } from './shapes.ts'

const attachmentInfo = v.object({
  id: v.string(),
  name: v.string(),
  size: v.number(),
  type: v.string(),
  bizType: v.string(),
  bizId: v.string(),
  createTime: v.string(),
  createUser: v.nullable(v.string()),
})
/**
 * A stored file: size in bytes, `bizType` the tag of the entity, `bizId` the id of the row
 * (docs/rules/contract.md#files).
 */
export type AttachmentInfo = v.InferOutput<typeof attachmentInfo>

const owner = { bizType: text, bizId: text }
const ts = v.optional(text)

/**
 * Attachments. Access to a file follows from access to its row (docs/rules/contract.md#files,
 * docs/rules/security.md#f1 to #f12).
 */
export const attachment = {
  upload: endpoint({
    method: 'POST',
    keyed: true,
    path: '/file/attachment/upload',
    access: 'signed',
    bodyKind: 'multipart',
    body: v.strictObject({ file: v.blob(), ...owner }),
    answer: attachmentInfo,
    timeout: 300_000,
  }),
  list: endpoint({
    method: 'GET',
    path: '/file/attachment',
    access: 'signed',
    query: v.strictObject({ ...owner, ts }),
    answer: v.array(attachmentInfo),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/file/attachment',
    access: 'signed',
    query: v.strictObject({ ids: text, ts }),
    answer: v.object({ deleted: v.number() }),
  }),
  download: fileEndpoint({
    method: 'GET',
    path: '/file/attachment/download',
    access: 'signed',
    query: v.strictObject({ ids: text, ts }),
  }),
  downloadOfRow: fileEndpoint({
    method: 'GET',
    path: '/file/attachment/download/biz',
    access: 'signed',
    query: v.strictObject({ ...owner, ts }),
  }),
  ticket: endpoint({
    method: 'POST',
    keyed: false,
    path: '/file/attachment/ticket',
    access: 'signed',
    body: v.strictObject({ ...owner, id: v.optional(text) }),
    answer: v.object({ ticket: v.string(), expires_in: v.number() }),
  }),
  /**
   * Image link. `token` is a ticket valid for 60 s, never a session token
   * (docs/rules/security.md#h5); public because the ticket authorises the call.
   */
  image: fileEndpoint({
    method: 'GET',
    path: '/file/attachment/download/{bizType}/{bizId}',
    access: 'public',
    query: v.strictObject({ token: text, tenant: v.optional(text), id: v.optional(text), ts }),
  }),
} as const
