// Copies the web page's modules and the libraries it uses to where the server finds them.
//
// No bundler: what runs in the browser is what stands in src/. Everything goes into one folder named
// by the hash of its content, so that browsers may keep it forever; index.html names that folder.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = dirname(fileURLToPath(import.meta.url));
const SOURCE = join(HERE, 'src');
const TARGET = process.argv[2] ?? join(HERE, '..', 'src', 'ruleplay', 'server', 'static');

/** Library modules, by the name under which src/ imports them from ./vendor/. */
const VENDOR = {
  'preact.js': ['htm', 'preact/standalone.module.js'],
  'marked.js': ['marked', 'lib/marked.esm.js'],
  'purify.js': ['dompurify', 'dist/purify.es.mjs'],
  'echarts.js': ['echarts', 'dist/echarts.esm.min.mjs'],
};

/** Fonts, by the name under which design/fonts.css finds them in ./vendor/fonts/. */
const FONTS = {
  'inter.woff2': ['@fontsource-variable/inter', 'files/inter-latin-wght-normal.woff2'],
  'serif-400.woff2': ['@fontsource/source-serif-4', 'files/source-serif-4-latin-400-normal.woff2'],
  'serif-600.woff2': ['@fontsource/source-serif-4', 'files/source-serif-4-latin-600-normal.woff2'],
  'serif-400-italic.woff2': ['@fontsource/source-serif-4', 'files/source-serif-4-latin-400-italic.woff2'],
};

/** The page's one stylesheet, from these in their order: a page that waits for ten is seen late. */
const STYLES = [
  'design/fonts.css', 'design/tokens.css', 'styles/base.css', 'styles/layout.css', 'styles/conversation.css',
  'styles/inspector.css', 'styles/figures.css', 'styles/start.css', 'styles/pictures.css',
];

/** Pictures of creatures, an optional package: the page draws silhouettes where there is none. */
const SPRITES = join(HERE, 'node_modules', 'pokesprite-images', 'pokemon-gen8', 'regular');

function filesBelow(folder, recursive = true) {
  return readdirSync(folder, { recursive, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
    .map((path) => path.split(sep).join('/'))
    .sort();
}

/** Library code without the comment that points at a source map we do not ship. */
function vendorModule([name, path]) {
  const code = readFileSync(join(HERE, 'node_modules', name, path), 'utf8');
  return code.replace(/\n?\/\/# sourceMappingURL=\S+\s*$/, '\n');
}

/** Licence texts of the libraries: whoever passes their code on has to pass these on too. */
function licences() {
  return [...new Set([...Object.values(VENDOR), ...Object.values(FONTS)].map(([name]) => name))]
    .map((name) => {
      const folder = join(HERE, 'node_modules', name);
      const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const files = filesBelow(folder, false).filter((file) => /^(licen[sc]e|notice)/i.test(file));
      const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
      return [`${name} ${version} (${license})`, ...texts].join('\n\n');
    })
    .join(`\n\n${'-'.repeat(72)}\n\n`);
}

function collect() {
  const contents = new Map();
  for (const path of filesBelow(SOURCE)) contents.set(path, readFileSync(join(SOURCE, path)));
  for (const [name, origin] of Object.entries(VENDOR)) {
    contents.set(`vendor/${name}`, Buffer.from(vendorModule(origin)));
  }
  for (const [name, [library, path]] of Object.entries(FONTS)) {
    contents.set(`vendor/fonts/${name}`, readFileSync(join(HERE, 'node_modules', library, path)));
  }
  const sprites = existsSync(SPRITES) ? filesBelow(SPRITES, false).filter((file) => file.endsWith('.png')) : [];
  for (const file of sprites) contents.set(`vendor/sprites/${file}`, readFileSync(join(SPRITES, file)));
  contents.set('vendor/sprites/names.json', Buffer.from(JSON.stringify(sprites.map((file) => file.slice(0, -4)))));
  // Its neighbours reach the same files from there: all of them lie one folder deep.
  contents.set('styles/page.css', Buffer.from(STYLES.map((path) => contents.get(path)).join('\n')));
  for (const path of STYLES) contents.delete(path);
  contents.set('vendor/LICENSES.txt', Buffer.from(licences()));
  return contents;
}

function hashOf(contents) {
  const hash = createHash('sha256');
  for (const [path, content] of contents) hash.update(`${path}\0${content.length}\0`).update(content);
  return hash.digest('hex').slice(0, 12);
}

/** Modules that `entry` imports statically, itself included: the browser may fetch them at once. */
function reachable(contents, entry) {
  const found = new Set([entry]);
  for (const path of found) {
    const code = contents.get(path)?.toString() ?? '';
    for (const [, target] of code.matchAll(/^(?:import|export)(?:[^;'"]*?\sfrom)?\s+['"](\.[^'"]+)['"]/gm)) {
      const module = posix.normalize(posix.join(posix.dirname(path), target));
      if (!contents.has(module)) throw new Error(`${path} imports ${target}, which is not there`);
      found.add(module);
    }
  }
  return [...found];
}

/** Each page's own module, by the page's name, as src/pages.js lists them. */
function pages(contents) {
  const list = contents.get('pages.js').toString();
  return [...list.matchAll(/^ +(\w+): async \(\) => \(await import\('\.\/([^']+)'\)\)/gm)].map(([, name, module]) => [name, module]);
}

/** One document a page, which names the modules that this page needs; `index.html` names the common ones. */
function documents(contents, page, base) {
  const common = reachable(contents, 'app.js');
  const document = (modules) => page.replaceAll('{{base}}', base).replace('{{preload}}', modules
    .map((path) => `<link rel="modulepreload" href="${base}/${path}">`).join('\n'));
  const own = pages(contents).map(([name, module]) => [`${name}.html`, document([...new Set([...common, ...reachable(contents, module)])])]);
  return [['index.html', document(common)], ...own];
}

function build() {
  const contents = collect();
  const page = contents.get('index.html').toString();
  contents.delete('index.html');
  const base = `/static/${hashOf(contents)}`;
  const made = documents(contents, page, base);
  rmSync(TARGET, { recursive: true, force: true });
  for (const [path, content] of contents) {
    const file = join(TARGET, base.slice('/static/'.length), path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  for (const [name, text] of made) writeFileSync(join(TARGET, name), text);
  return contents.size + made.length;
}

console.error(`web page: ${build()} files in ${relative(process.cwd(), TARGET) || '.'}`);
