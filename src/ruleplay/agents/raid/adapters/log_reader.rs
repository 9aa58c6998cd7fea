//! The compiled log reader: chunks of a combat log to columns, as `domain/reading.py` defines them.
//!
//! It cuts lines, reads clocks and numbers, and numbers texts and units by their bytes. What tokens
//! mean (units, spells, masks), which layout a line has, and every line that it refuses is decided
//! in Python. One file, the standard library alone, called by way of ctypes. Places are byte
//! offsets in a buffer that has `MARGIN` bytes before the text and behind it, so that a token's
//! neighbours can always be looked at.

use std::ffi::c_void;
use std::{ptr, slice};

const MARGIN: usize = 128;
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
const WIDEST: usize = 127;
/// The table of events' names.
const EVENTS: usize = 1;

/// Raised when the functions or what they take change.
#[no_mangle]
pub extern "C" fn reader_interface() -> u32 {
    1
}

/// Distinct tokens, numbered from 0 in the order in which they are first seen.
struct Table {
    slots: Vec<u32>,
    hashes: Vec<u64>,
    ends: Vec<usize>,
    bytes: Vec<u8>,
}

impl Table {
    fn new() -> Self {
        Table { slots: vec![0; 4096], hashes: Vec::new(), ends: Vec::new(), bytes: Vec::new() }
    }

    fn token(&self, code: usize) -> &[u8] {
        let start = if code == 0 { 0 } else { self.ends[code - 1] };
        &self.bytes[start..self.ends[code]]
    }

    fn number(&mut self, token: &[u8]) -> u32 {
        let hash = hash(token);
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let taken = self.slots[slot] as usize;
            if taken == 0 {
                break;
            }
            if self.hashes[taken - 1] == hash && self.token(taken - 1) == token {
                return taken as u32 - 1;
            }
            slot = (slot + 1) & mask;
        }
        self.hashes.push(hash);
        self.bytes.extend_from_slice(token);
        self.ends.push(self.bytes.len());
        self.slots[slot] = self.hashes.len() as u32;
        if self.hashes.len() * 2 > self.slots.len() {
            self.grow();
        }
        self.hashes.len() as u32 - 1
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        self.slots = vec![0; mask + 1];
        for (code, hash) in self.hashes.iter().enumerate() {
            let mut slot = *hash as usize & mask;
            while self.slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = code as u32 + 1;
        }
    }
}

/// Hash a token, two words at a time on two lanes.
fn hash(token: &[u8]) -> u64 {
    let (mut one, mut other) = (token.len() as u64 ^ FACTOR, FACTOR);
    let mut pairs = token.chunks_exact(16);
    for pair in &mut pairs {
        one = mix(one, word(pair, 0));
        other = mix(other, word(pair, 8));
    }
    let mut last = [0; 16];
    last[..pairs.remainder().len()].copy_from_slice(pairs.remainder());
    mix(mix(one, word(&last, 0)), mix(other, word(&last, 8)))
}

fn mix(found: u64, word: u64) -> u64 {
    let mixed = (found ^ word).wrapping_mul(FACTOR);
    mixed ^ (mixed >> 29)
}

/// What is read at one token of a line, or at several that follow each other.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Step {
    /// One of the kinds below.
    kind: i32,
    /// The column that it fills.
    column: i32,
    /// The first token, and how many they are.
    token: i32,
    count: i32,
    /// The table that numbers the token, or the greatest number that the column holds.
    most: i64,
}

const CODE: i32 = 0;
const TEXT: i32 = 1;
const FLAG: i32 = 2;
const DECIMAL: i32 = 3;
const NOTE: i32 = 4;
const INTEGER: i32 = 5;
const SIGNLESS: i32 = 6;
const SHORT: i32 = 7;

#[derive(Default)]
pub struct Reader {
    tables: Vec<Table>,
    starts: Vec<i64>,
    ends: Vec<i64>,
    separators: Vec<i32>,
    first: Vec<i64>,
    width: Vec<i64>,
    layouts: Vec<Vec<Step>>,
    /// By a line's key, the number of its layout plus one.
    by_key: Vec<u32>,
    flaws: Vec<i32>,
    page: Page,
}

/// Arrays of a chunk that Python looks at until the next one is cut.
#[repr(C)]
pub struct Cut {
    lines: usize,
    separators: usize,
    starts: *const i64,
    ends: *const i64,
    places: *const i32,
    first: *const i64,
    width: *const i64,
}

#[no_mangle]
pub extern "C" fn reader_new(tables: usize) -> *mut Reader {
    let mut reader = Reader::default();
    reader.tables.resize_with(tables, Table::new);
    Box::into_raw(Box::new(reader))
}

/// # Safety
/// `reader` comes from `reader_new` and is used no more.
#[no_mangle]
pub unsafe extern "C" fn reader_free(reader: *mut Reader) {
    drop(Box::from_raw(reader));
}

/// Number `count` tokens of a buffer.
///
/// # Safety
/// The arrays have `count` places, and these lie in the buffer.
#[no_mangle]
pub unsafe extern "C" fn reader_number(
    reader: *mut Reader,
    table: usize,
    buffer: *const u8,
    starts: *const i64,
    ends: *const i64,
    count: usize,
    codes: *mut i32,
) {
    let table = &mut (&mut *reader).tables[table];
    for at in 0..count {
        let (start, end) = (*starts.add(at) as usize, *ends.add(at) as usize);
        let token = slice::from_raw_parts(buffer.add(start), end.saturating_sub(start));
        *codes.add(at) = table.number(token) as i32;
    }
}

/// Return how many tokens a table has.
///
/// # Safety
/// `reader` comes from `reader_new`.
#[no_mangle]
pub unsafe extern "C" fn reader_known(reader: *const Reader, table: usize) -> usize {
    (&*reader).tables[table].ends.len()
}

/// Return a token's bytes, which stay until the next one is numbered.
///
/// # Safety
/// `reader` comes from `reader_new`, `length` is writable.
#[no_mangle]
pub unsafe extern "C" fn reader_token(
    reader: *const Reader,
    table: usize,
    code: usize,
    length: *mut usize,
) -> *const u8 {
    let token = (&(&*reader).tables)[table].token(code);
    *length = token.len();
    token.as_ptr()
}

/// Find lines and separators of a buffer whose text ends in a newline.
///
/// # Safety
/// `buffer` has `size` bytes, margins among them.
#[no_mangle]
pub unsafe extern "C" fn reader_cut(reader: *mut Reader, buffer: *const u8, size: usize) -> Cut {
    let (reader, buffer) = (&mut *reader, slice::from_raw_parts(buffer, size));
    reader.starts.clear();
    reader.ends.clear();
    reader.separators.clear();
    reader.first.clear();
    reader.width.clear();
    let (mut start, mut first) = (MARGIN, 0);
    each_separator(buffer, |at| {
        if buffer[at] == b',' {
            reader.separators.push(at as i32);
            return;
        }
        let end = at - usize::from(buffer[at - 1] == b'\r' && at > start);
        reader.separators.push(end as i32);
        reader.starts.push(start as i64);
        reader.ends.push(end as i64);
        reader.first.push(first as i64);
        reader.width.push((reader.separators.len() - first) as i64);
        start = at + 1;
        first = reader.separators.len();
    });
    Cut {
        lines: reader.starts.len(),
        separators: reader.separators.len(),
        starts: reader.starts.as_ptr(),
        ends: reader.ends.as_ptr(),
        places: reader.separators.as_ptr(),
        first: reader.first.as_ptr(),
        width: reader.width.as_ptr(),
    }
}

/// Call `take` with the place of every comma and newline between the margins.
#[cfg(target_arch = "x86_64")]
fn each_separator(buffer: &[u8], mut take: impl FnMut(usize)) {
    use std::arch::x86_64::*;
    let last = buffer.len() - MARGIN;
    // SAFETY: every x86-64 has SSE2, and the margin is longer than the 16 bytes that are loaded.
    unsafe {
        let (comma, newline) = (_mm_set1_epi8(b',' as i8), _mm_set1_epi8(b'\n' as i8));
        for at in (MARGIN..last).step_by(16) {
            let bytes = _mm_loadu_si128(buffer.as_ptr().add(at).cast());
            let found = _mm_or_si128(_mm_cmpeq_epi8(bytes, comma), _mm_cmpeq_epi8(bytes, newline));
            let mut bits = _mm_movemask_epi8(found) as u32;
            while bits != 0 {
                take(at + bits.trailing_zeros() as usize);
                bits &= bits - 1;
            }
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn each_separator(buffer: &[u8], mut take: impl FnMut(usize)) {
    for at in MARGIN..buffer.len() - MARGIN {
        if buffer[at] == b',' || buffer[at] == b'\n' {
            take(at);
        }
    }
}

/// Read the clocks of those of `rows` that begin with `date`; the others stay in `rows`, counted.
///
/// # Safety
/// `buffer` has `size` bytes and was cut last; the other arrays have a place for every line.
#[no_mangle]
pub unsafe extern "C" fn reader_clocks(
    reader: *const Reader,
    buffer: *const u8,
    size: usize,
    rows: *mut i64,
    count: usize,
    date: *const u8,
    length: usize,
    midnight: i64,
    ms: *mut i64,
    events: *mut i64,
    good: *mut u8,
) -> usize {
    let (reader, buffer) = (&*reader, slice::from_raw_parts(buffer, size));
    let (rows, date) = (slice::from_raw_parts_mut(rows, count), slice::from_raw_parts(date, length));
    let mut left = 0;
    for at in 0..count {
        let row = rows[at] as usize;
        let (start, end) = (reader.starts[row] as usize, reader.ends[row] as usize);
        if end - start <= length + 14 || &buffer[start..start + length] != date {
            rows[left] = row as i64;
            left += 1;
            continue;
        }
        let (clock, event, fine) = read_clock(buffer, start + length);
        *ms.add(row) = midnight.wrapping_add(clock);
        *events.add(row) = event as i64;
        *good.add(row) = u8::from(fine && event < end);
    }
    left
}

/// Return the milliseconds of a clock, where the event after it starts, and whether it is one.
fn read_clock(buffer: &[u8], at: usize) -> (i64, usize, bool) {
    let (clock, seconds) = two_digits(word(buffer, at) ^ u64::from_le_bytes(*b"00:00:00"));
    let fraction = word(buffer, at + 4);
    let (thousandths, more) = two_digits(fraction ^ u64::from_le_bytes(*b"0:00.000"));
    let byte = |word: u64, place: u32| (word >> place & 0xFF) as i64;
    let ms = byte(clock, 0) * 3_600_000
        + byte(clock, 24) * 60_000
        + byte(clock, 48) * 1_000
        + byte(thousandths, 40) * 10
        + (fraction >> 56 & 0xF) as i64;
    let (mut event, good) = (at + 12, seconds && more);
    for _ in 0..10 {
        if !good || buffer[event] == b' ' || buffer[event] == b'\t' {
            break;
        }
        event += 1;
    }
    if buffer[event] == b'\t' {
        return (ms, event + 1, good);
    }
    (ms, event + 2, good && buffer[event] == b' ' && buffer[event + 1] == b' ')
}

fn word(buffer: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(buffer[at..at + 8].try_into().unwrap_or_default())
}

/// Return a word whose bytes are ten times their digit and the next, and whether all are digits.
fn two_digits(digits: u64) -> (u64, bool) {
    let odd = (digits.wrapping_add(0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080;
    (digits.wrapping_mul(10).wrapping_add(digits >> 8), odd == 0)
}

/// Give the key of each line: event, width, whether it is of the old kind, whether it has a tail.
/// Events are told apart that are among the first `known`.
///
/// # Safety
/// `buffer` was cut last; `rows` and `keys` have `count` places, `events` one for every line.
#[no_mangle]
pub unsafe extern "C" fn reader_keys(
    reader: *mut Reader,
    buffer: *const u8,
    size: usize,
    rows: *const i64,
    count: usize,
    events: *const i64,
    known: i32,
    keys: *mut i32,
) {
    let (reader, buffer) = (&mut *reader, slice::from_raw_parts(buffer, size));
    for at in 0..count {
        let row = *rows.add(at) as usize;
        let (first, width) = (reader.first[row] as usize, reader.width[row] as usize);
        let ends = &reader.separators[first..first + width];
        let event = &buffer[*events.add(row) as usize..ends[0] as usize];
        let code = (reader.tables[EVENTS].number(event) as i32).min(known);
        let old = width > 6 && {
            let target = token(buffer, ends, 4, 1);
            target.len() == 18 && target[1] == b'x'
        };
        let tail = width > 8 && matches!(token(buffer, ends, width - 1, 1), b"ST" | b"AOE");
        let told = (code << 7 | width.min(WIDEST) as i32) << 2;
        *keys.add(at) = told | i32::from(old) << 1 | i32::from(tail);
    }
}

fn token<'a>(buffer: &'a [u8], ends: &[i32], at: usize, count: usize) -> &'a [u8] {
    let (start, end) = (ends[at - 1] as usize + 1, ends[at + count - 1] as usize);
    &buffer[start..end.max(start)]
}

/// Let lines of a key be read by these steps, in the order of their tokens.
///
/// # Safety
/// `steps` has `count` places.
#[no_mangle]
pub unsafe extern "C" fn reader_layout(
    reader: *mut Reader,
    key: usize,
    steps: *const Step,
    count: usize,
) {
    let reader = &mut *reader;
    reader.layouts.push(slice::from_raw_parts(steps, count).to_vec());
    if reader.by_key.len() <= key {
        reader.by_key.resize(key + 1, 0);
    }
    reader.by_key[key] = reader.layouts.len() as u32;
}

/// Read the lines that have a layout into columns; return where the flaws are, three numbers each:
/// the line, the token, the column. Only a line's first flaw is told.
///
/// # Safety
/// `buffer` was cut last; every column of the layouts has a place for every line, and so have the
/// masks that tell where it is not null.
#[no_mangle]
pub unsafe extern "C" fn reader_read(
    reader: *mut Reader,
    buffer: *const u8,
    size: usize,
    rows: *const i64,
    keys: *const i32,
    count: usize,
    columns: *const *mut c_void,
    known: *const *mut u8,
    flaws: *mut usize,
) -> *const i32 {
    let (reader, buffer) = (&mut *reader, slice::from_raw_parts(buffer, size));
    reader.flaws.clear();
    for at in 0..count {
        let (row, key) = (*rows.add(at) as usize, *keys.add(at) as usize);
        let layout = reader.by_key.get(key).copied().unwrap_or(0) as usize;
        if layout == 0 {
            continue;
        }
        let (first, width) = (reader.first[row] as usize, reader.width[row] as usize);
        let ends = &reader.separators[first..first + width];
        let mut flaw = None;
        for step in &reader.layouts[layout - 1] {
            let column = step.column as usize;
            let cell = Cell { values: *columns.add(column), known: *known.add(column), row };
            let start = ends[step.token as usize - 1] as usize + 1;
            let end = ends[(step.token + step.count) as usize - 1] as usize;
            if !cell.read(step, buffer, start, end.max(start), &mut reader.tables) {
                flaw = flaw.or(Some(step));
            }
        }
        if let Some(step) = flaw {
            reader.flaws.extend([row as i32, step.token, step.column]);
        }
    }
    *flaws = reader.flaws.len() / 3;
    reader.flaws.as_ptr()
}

/// A line's place in a column.
struct Cell {
    values: *mut c_void,
    known: *mut u8,
    row: usize,
}

impl Cell {
    unsafe fn put<T>(&self, value: T) {
        ptr::write(self.values.cast::<T>().add(self.row), value);
        *self.known.add(self.row) = 1;
    }

    /// Fill the cell from a token; false where this is not what the column holds.
    unsafe fn read(
        &self,
        step: &Step,
        buffer: &[u8],
        start: usize,
        end: usize,
        tables: &mut [Table],
    ) -> bool {
        let token = &buffer[start..end];
        match step.kind {
            CODE => self.put(tables[step.most as usize].number(token) + 1),
            TEXT => return self.read_text(token, buffer[start], &mut tables[step.most as usize]),
            FLAG => {
                let first = buffer[start];
                self.put(u8::from(first == b'1'));
                return token == b"1" || token == b"0" || first == b'n';
            }
            DECIMAL => return read_decimal(token).map(|value| self.put(value)).is_some(),
            NOTE => {
                if token == b"1" {
                    self.put(tables[step.most as usize].number(b"unconscious"));
                }
            }
            _ => return self.read_integer(step, token),
        }
        true
    }

    unsafe fn read_text(&self, token: &[u8], first: u8, table: &mut Table) -> bool {
        self.put(table.number(token));
        *self.known.add(self.row) = u8::from(token != b"nil");
        let closed = token.len() > 1 && token.last() == Some(&b'"');
        (first == b'"') == closed
    }

    unsafe fn read_integer(&self, step: &Step, token: &[u8]) -> bool {
        let (value, known) = match read_integer(token) {
            Some(value) => (value, true),
            None if token == b"nil" => (0, false),
            None => return false,
        };
        match step.kind {
            SIGNLESS => self.put(value.max(0)),
            INTEGER => self.put(value),
            _ if value < 0 || value > step.most => return false,
            SHORT => self.put(value as u16),
            _ => self.put(value as u32),
        }
        *self.known.add(self.row) = u8::from(known);
        true
    }
}

/// Read a whole number: of `119.0000` the whole part, of the list `3|0` the first.
fn read_integer(token: &[u8]) -> Option<i64> {
    let (minus, digits) = unsigned(token);
    let (value, count) = read_digits(digits);
    let mut rest = &digits[count..];
    if count == 0 || count > 18 {
        return None;
    }
    if rest.first() == Some(&b'.') {
        let behind = rest[1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        rest = &rest[1 + behind..];
    }
    if rest.first() == Some(&b'|') && rest.iter().all(|byte| b"0123456789.|-".contains(byte)) {
        rest = &[];
    }
    rest.is_empty().then_some(if minus { -value } else { value })
}

fn unsigned(token: &[u8]) -> (bool, &[u8]) {
    match token.split_first() {
        Some((b'-', digits)) => (true, digits),
        _ => (false, token),
    }
}

/// Return the number at the beginning of a text, and how many digits it has: at most 18 count.
fn read_digits(text: &[u8]) -> (i64, usize) {
    let (mut value, mut count) = (0i64, 0);
    while count < text.len() && text[count].is_ascii_digit() {
        if count < 18 {
            value = value * 10 + i64::from(text[count] - b'0');
        }
        count += 1;
    }
    (value, count)
}

/// Read a number with a fraction, of two digits as a rule.
fn read_decimal(token: &[u8]) -> Option<f32> {
    let (minus, digits) = unsigned(token);
    let sign = if minus { -1.0 } else { 1.0 };
    let (whole, count) = read_digits(digits);
    if (1..=18).contains(&count) {
        let rest = &digits[count..];
        if rest.is_empty() {
            return Some((whole as f64 * sign) as f32);
        }
        if rest.len() == 3 && rest[0] == b'.' {
            let (cents, behind) = read_digits(&rest[1..]);
            if behind == 2 {
                return Some(((whole as f64 + cents as f64 / 100.0) * sign) as f32);
            }
        }
    }
    let plain = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
    let text = std::str::from_utf8(token).ok().filter(|_| token.iter().all(plain))?;
    let value: f64 = text.parse().ok()?;
    (value.abs() <= f64::from(f32::MAX)).then_some(value as f32)
}

/// A column on its way into a Parquet page: which rows have a value, and the values' bits.
#[derive(Default)]
struct Page {
    levels: Vec<u8>,
    values: Vec<u64>,
    distinct: Vec<u64>,
    codes: Vec<u32>,
    slots: Vec<u32>,
    packed_levels: Vec<u8>,
    packed_values: Vec<u8>,
}

const MOST_DISTINCT: usize = 1 << 15;

/// How a column's values are written, as Parquet numbers its encodings.
const PLAIN: i32 = 0;
const DELTA: i32 = 5;
const DICTIONARY: i32 = 8;

/// A finished page; what it points to stays until the next column is begun.
#[repr(C)]
pub struct Packed {
    encoding: i32,
    rows: usize,
    present: usize,
    levels: *const u8,
    level_bytes: usize,
    values: *const u8,
    value_bytes: usize,
    distinct: *const u64,
    distinct_count: usize,
}

/// Add rows of a column of values of `size` bytes to the page; without `values` they are null.
///
/// # Safety
/// The arrays have `count` places; `keep` and `known` may be absent, which means every row.
#[no_mangle]
pub unsafe extern "C" fn reader_add(
    reader: *mut Reader,
    values: *const c_void,
    size: usize,
    known: *const u8,
    keep: *const u8,
    count: usize,
) {
    let page = &mut (*reader).page;
    let mask = |place: *const u8| (!place.is_null()).then(|| slice::from_raw_parts(place, count));
    let (known, keep) = (mask(known), mask(keep));
    if values.is_null() {
        let rows = keep.map_or(count, |keep| keep.iter().filter(|kept| **kept != 0).count());
        page.levels.resize(page.levels.len() + rows, 0);
        return;
    }
    match size {
        1 => page.add(slice::from_raw_parts(values.cast::<u8>(), count), known, keep),
        2 => page.add(slice::from_raw_parts(values.cast::<u16>(), count), known, keep),
        4 => page.add(slice::from_raw_parts(values.cast::<u32>(), count), known, keep),
        _ => page.add(slice::from_raw_parts(values.cast::<u64>(), count), known, keep),
    }
}

/// Pack the page and begin the next: `size` bytes a value, 0 for bits; `sorted` ones by differences.
///
/// # Safety
/// `reader` comes from `reader_new`.
#[no_mangle]
pub unsafe extern "C" fn reader_pack(reader: *mut Reader, size: usize, sorted: bool) -> Packed {
    let page = &mut (*reader).page;
    page.packed_levels.clear();
    page.packed_values.clear();
    page.distinct.clear();
    let (rows, present) = (page.levels.len(), page.values.len());
    if present == rows || present == 0 {
        repeat(&mut page.packed_levels, rows, u8::from(present > 0));
    } else {
        pack_levels(&mut page.packed_levels, &page.levels);
    }
    let encoding = if size == 0 {
        pack(&mut page.packed_values, page.values.iter().copied(), 1);
        PLAIN
    } else if sorted && present > 0 {
        pack_differences(&mut page.packed_values, &page.values);
        DELTA
    } else if present > 0 && page.tell_apart() {
        page.pack_codes();
        DICTIONARY
    } else {
        for value in &page.values {
            page.packed_values.extend_from_slice(&value.to_le_bytes()[..size]);
        }
        page.distinct.clear();
        PLAIN
    };
    page.levels.clear();
    page.values.clear();
    Packed {
        encoding,
        rows,
        present,
        levels: page.packed_levels.as_ptr(),
        level_bytes: page.packed_levels.len(),
        values: page.packed_values.as_ptr(),
        value_bytes: page.packed_values.len(),
        distinct: page.distinct.as_ptr(),
        distinct_count: page.distinct.len(),
    }
}

impl Page {
    fn add<T: Copy + Into<u64>>(&mut self, values: &[T], known: Option<&[u8]>, keep: Option<&[u8]>) {
        self.levels.reserve(values.len());
        self.values.reserve(values.len());
        let (Some(known), None) = (known, keep) else {
            for (row, value) in values.iter().enumerate() {
                if keep.map_or(true, |keep| keep[row] != 0) {
                    let present = known.map_or(true, |known| known[row] != 0);
                    self.levels.push(u8::from(present));
                    self.values.extend(present.then_some((*value).into()));
                }
            }
            return;
        };
        self.levels.extend_from_slice(known);
        let mut count = self.values.len();
        let room = self.values.spare_capacity_mut();
        let mut at = 0;
        for (value, known) in values.iter().zip(known) {
            room[at].write((*value).into());
            at += usize::from(*known != 0);
        }
        count += at;
        // SAFETY: so many values were written behind those that were there.
        unsafe { self.values.set_len(count) };
    }

    /// Number the distinct values; false where they are too many for a dictionary.
    fn tell_apart(&mut self) -> bool {
        self.codes.clear();
        self.slots.clear();
        self.slots.resize((self.values.len().min(MOST_DISTINCT) * 2).next_power_of_two(), 0);
        let mask = self.slots.len() - 1;
        let (mut last, mut code) = (!self.values[0], 0);
        for value in &self.values {
            if *value != last {
                let mut slot = (value.wrapping_mul(FACTOR) >> 40) as usize & mask;
                while self.slots[slot] != 0 && self.distinct[self.slots[slot] as usize - 1] != *value {
                    slot = (slot + 1) & mask;
                }
                if self.slots[slot] == 0 {
                    if self.distinct.len() == MOST_DISTINCT {
                        return false;
                    }
                    self.distinct.push(*value);
                    self.slots[slot] = self.distinct.len() as u32;
                }
                (last, code) = (*value, self.slots[slot] - 1);
            }
            self.codes.push(code);
        }
        true
    }

    fn pack_codes(&mut self) {
        let width = (64 - (self.distinct.len() as u64 - 1).leading_zeros()).max(1);
        self.packed_values.push(width as u8);
        if self.distinct.len() == 1 {
            repeat(&mut self.packed_values, self.codes.len(), 0);
            return;
        }
        let codes = self.codes.iter().map(|code| u64::from(*code));
        pack_groups(&mut self.packed_values, codes, self.codes.len(), width);
    }
}

/// Write a run of one small value that is repeated.
fn repeat(bytes: &mut Vec<u8>, count: usize, value: u8) {
    varint(bytes, (count as u64) << 1);
    bytes.push(value);
}

/// Write a run of packed values, whole groups of eight.
fn pack_groups(bytes: &mut Vec<u8>, values: impl Iterator<Item = u64>, count: usize, width: u32) {
    let groups = count.div_ceil(8);
    varint(bytes, (groups as u64) << 1 | 1);
    let whole = bytes.len() + groups * width as usize;
    pack(bytes, values, width);
    bytes.resize(whole, 0);
}

/// Write levels, zero or one each, as packed groups of eight.
fn pack_levels(bytes: &mut Vec<u8>, levels: &[u8]) {
    varint(bytes, (levels.len().div_ceil(8) as u64) << 1 | 1);
    for group in levels.chunks(8) {
        let mut eight = [0; 8];
        eight[..group.len()].copy_from_slice(group);
        bytes.push((u64::from_le_bytes(eight).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8);
    }
}

/// Write values of `width` bits, at most 64, one after the other.
fn pack(bytes: &mut Vec<u8>, values: impl Iterator<Item = u64>, width: u32) {
    let (mut held, mut bits) = (0u64, 0);
    for value in values {
        held |= value << bits;
        bits += width;
        if bits >= 64 {
            bytes.extend_from_slice(&held.to_le_bytes());
            bits -= 64;
            held = if bits > 0 { value >> (width - bits) } else { 0 };
        }
    }
    bytes.extend_from_slice(&held.to_le_bytes()[..(bits as usize).div_ceil(8)]);
}

/// Write values as differences, in blocks of 128 with four widths: DELTA_BINARY_PACKED.
fn pack_differences(bytes: &mut Vec<u8>, values: &[u64]) {
    for number in [128, 4, values.len() as u64, zigzag(values[0] as i64)] {
        varint(bytes, number);
    }
    let differences: Vec<i64> =
        values.windows(2).map(|pair| (pair[1] as i64).wrapping_sub(pair[0] as i64)).collect();
    for block in differences.chunks(128) {
        let least = block.iter().copied().min().unwrap_or(0);
        varint(bytes, zigzag(least));
        let above = |value: &i64| value.wrapping_sub(least) as u64;
        let width = |part: &[i64]| 64 - part.iter().map(above).max().unwrap_or(0).leading_zeros();
        let widths: Vec<u32> = block.chunks(32).map(width).collect();
        bytes.extend((0..4).map(|at| widths.get(at).map_or(0, |width| *width as u8)));
        for (part, width) in block.chunks(32).zip(widths) {
            let whole = bytes.len() + width as usize * 4;
            pack(bytes, part.iter().map(above), width);
            bytes.resize(whole, 0);
        }
    }
}

fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

fn varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}
