import type { Migration } from '../migrate.ts'
import { run } from '../columns.ts'
import { hanOrder } from './0041-han-order.ts'

/** Characters of a text that its key tells apart: longer texts that begin alike are in the order of their ids. */
const keyLength = 80

/**
 * The signs of ASCII in the order of CLDR. Their codes begin at 2: code 1 ends what is compared first, so that a text
 * comes before those that begin with it.
 */
const signs = ` _-,;:!?.'"()[]{}@*/\\&#%\`^+<=>|~$`
/** Leading bytes of the other characters, in order; Latin letters are their capitals, 41 to 5a. */
const bytes = { sign: '23', number: 36, han: '38', letter: '5b' } as const
/** A number begins with `number` and its count of digits. More than this are compared as digits. */
const mostDigits = 18

/** The base letters of U+0080 to U+024F, `-` where a character has none. */
const latinLetters =
  '------------------------------------------a---------------o-----aaaaaa-ceeeeiiiidnooooo-ouuuuy--aaaaaa-ceee' +
  'eiiiidnooooo-ouuuuy-yaaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiii---jjkk-llllllllllnnnnnn---oooooo--rr' +
  'rrrrsssssssstttt--uuuuuuuuuuuuwwyyyzzzzzzs--------------------------------oo-------------uu----------------' +
  '------------aaiioouuuuuuuuuu-aaaa----ggkkoooo--j---gg--nnaa--ooaaaaeeeeiiiioooorrrruuuusstt--hh------aaeeoo' +
  'ooooooyy----------------------------'
/** The same of U+1E00 to U+1EFF. */
const moreLetters =
  'aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmmmmmmnnnnnnnnoooooooopppprrrrrrrrssssssssssttt' +
  'tttttuuuuuuuuuuvvvvwwwwwwwwwwxxxxyyzzzzzzhtwy-s----aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeeeeeeeeeeeiiiioooooooooooooo' +
  'ooooooooouuuuuuuuuuuuuuyyyyyyyy------'

/**
 * The key by which people order texts (docs/rules/database.md#order): signs, numbers by their value, Chinese by
 * Pinyin, Latin letters without case, accent and width, other letters. Texts that are equal so are in the order of
 * their letters, small ones first. The same bytes on every engine, whatever its collations.
 */
export const sortKeysMigration: Migration = {
  name: '0041-sort-keys',
  up: (db) => run(db, [sortKey(), ...indexes]),
}

/** Columns of tables that grow with a school, by which their lists and choices are ordered. */
const indexes = [
  ['biz.student', 'name'],
  ['biz.student', 'student_no'],
  ['biz.teacher', 'name'],
  ['biz.course', 'name'],
  ['sys.app_user', 'name'],
].map(
  ([table = '', column = '']) =>
    `create index if not exists ${table.replace('.', '_')}_${column}_order on ${table}
      (tenant_id, sys.sort_key(${column}), id) where deleted_at is null`,
)

function sortKey(): string {
  const codes = [...signs].map((_sign, at) => String.raw`\x${hex(2 + at, 2)}`).join('')
  const places = new Map([...hanOrder].map((letter, place) => [letter.codePointAt(0) ?? 0, place]))
  const han = Array.from({ length: 0x9fff - 0x4e00 + 1 }, (_none, at) =>
    hex(places.get(0x4e00 + at) ?? 0, 4),
  ).join('')
  const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
  const small = capitals.toLowerCase()
  const wide = Array.from({ length: 94 }, (_none, at) => String.fromCodePoint(0xff01 + at)).join('')
  const narrow = Array.from({ length: 94 }, (_none, at) => String.fromCodePoint(0x21 + at)).join('')
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
  return `create or replace function sys.sort_key(value text) returns bytea
  language plpgsql immutable strict parallel safe cost 200 as $fn$
  declare
    whole text collate "C" := left(value, ${keyLength});
    spoken text collate "C" := whole;
    rest text collate "C" := whole;
    piece text collate "C";
    kept text collate "C";
    letter text collate "C";
    made bytea := '';
    shown boolean := true;
    code integer;
  begin
    -- The only word of CLDR with a reading of its own: Chongqing.
    if strpos(whole, '重庆') > 0 then
      spoken := replace(whole, '重庆', '虫庆');
      rest := spoken;
      shown := false;
    end if;
    while rest <> '' loop
      code := ascii(rest);
      if code between 48 and 57 then
        piece := substring(rest from '^[0-9]+');
        kept := ltrim(piece, '0');
        made := made || set_byte('\\x00', 0, ${bytes.number} + least(length(kept), ${mostDigits + 1}))
          || convert_to(kept, 'UTF8');
        if kept <> piece then shown := false; end if;
        rest := substr(rest, length(piece) + 1);
      elsif code between 32 and 126 then
        piece := substring(rest from '^[ -/:-~]+');
        if shown and piece <> lower(piece) then shown := false; end if;
        made := made || convert_to(translate(upper(piece), ${quoted(signs)}, E'${codes}'), 'UTF8');
        rest := substr(rest, length(piece) + 1);
      else
        piece := substring(rest from '^[^ -~]+');
        rest := substr(rest, length(piece) + 1);
        foreach letter in array string_to_array(piece, null) loop
          code := ascii(letter);
          if code between 19968 and 40959 then
            made := made || '\\x${bytes.han}'::bytea || substring('\\x${han}'::bytea from 2 * (code - 19968) + 1 for 2);
            continue;
          end if;
          if code between 65281 and 65374 or code = 12288 then
            -- Of another width: begins anew with the text in the usual one.
            rest := translate(spoken, ${quoted(`${wide}　`)}, ${quoted(`${narrow} `)});
            made := '';
            shown := false;
            exit;
          end if;
          ${otherLetters(hex(places.get(0x3007) ?? 0, 4))}
        end loop;
      end if;
    end loop;
    if shown then return made; end if;
    return made || '\\x01' || convert_to(translate(whole, '${small}${capitals}', '${capitals}${small}'), 'UTF8');
  end $fn$`
}

/** @param zero place of 〇 among Chinese characters */
function otherLetters(zero: string): string {
  return `kept := '-';
          if code between 128 and 591 then kept := substr('${latinLetters}', code - 127, 1);
          elsif code between 7680 and 7935 then kept := substr('${moreLetters}', code - 7679, 1);
          end if;
          if kept = '-' then
            kept := case letter when 'æ' then 'ae' when 'Æ' then 'ae' when 'œ' then 'oe' when 'Œ' then 'oe'
              when 'ß' then 'ss' when 'ẞ' then 'ss' else '-' end;
          end if;
          if kept <> '-' then
            shown := false;
            made := made || convert_to(upper(kept), 'UTF8');
          elsif code < 32 or code = 127 or code between 768 and 879 or code between 8203 and 8207 or code = 65279 then
            shown := false;
          elsif code = 12295 then
            made := made || '\\x${bytes.han}${zero}'::bytea;
          elsif code between 13312 and 19903 or code between 63744 and 64255 or code >= 131072 then
            made := made || '\\x${bytes.han}ff'::bytea || substring(int4send(code) from 2);
          elsif code < 192 or code in (215, 247) or code between 8192 and 11263 or code between 12288 and 12351
            or code between 65072 and 65135 then
            made := made || '\\x${bytes.sign}'::bytea || substring(int4send(code) from 2);
          else
            -- Capitals of Greek and Cyrillic, and Katakana, are with their other forms.
            if code between 913 and 939 or code between 1040 and 1071 then code := code + 32; shown := false;
            elsif code between 1024 and 1039 then code := code + 80; shown := false;
            elsif code between 12449 and 12534 then code := code - 96; shown := false;
            end if;
            made := made || '\\x${bytes.letter}'::bytea || substring(int4send(code) from 2);
          end if;`
}

function hex(value: number, length: number): string {
  return value.toString(16).padStart(length, '0')
}
