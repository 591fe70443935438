// Makes a Debian package of the executable file, with the systemd unit, the man page and the completions. It needs no network.

import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { documentation } from './npm-package.ts';

interface DebianPackage {
  readonly root: string;
  /** Where the executable file, the man page and the completions are, and where the package is written. */
  readonly dist: string;
  readonly workFolder: string;
  readonly version: string;
  readonly target: string;
  readonly architecture: string;
}

const scripts = ['postinst', 'prerm', 'postrm'];

export async function makeDebianPackage(options: DebianPackage): Promise<void> {
  const { root, dist, workFolder, version, target, architecture } = options;
  const file = `vitrine_${version}_${architecture}.deb`;
  const folder = join(workFolder, file);
  const debian = join(root, 'deploy/debian');
  const add = (path: string, content: string | Uint8Array, mode = 0o644) => {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), content);
    chmodSync(join(folder, path), mode);
  };

  mkdirSync(join(folder, 'usr/bin'), { recursive: true });
  copyFileSync(join(dist, `vitrine-${target}`), join(folder, 'usr/bin/vitrine'));
  chmodSync(join(folder, 'usr/bin/vitrine'), 0o755);
  const unit = readFileSync(join(root, 'deploy/systemd/vitrine.service'), 'utf8');
  // The first lines say how to install the unit by hand.
  const own = unit.slice(unit.indexOf('[Unit]')).replaceAll('/usr/local/bin/', '/usr/bin/');
  add('usr/lib/systemd/system/vitrine.service', own);
  add('usr/share/man/man1/vitrine.1.gz', Bun.gzipSync(readFileSync(join(dist, 'vitrine.1'))));
  add('usr/share/bash-completion/completions/vitrine', readFileSync(join(dist, 'vitrine.bash')));
  add('usr/share/zsh/vendor-completions/_vitrine', readFileSync(join(dist, '_vitrine')));
  add('usr/share/fish/vendor_completions.d/vitrine.fish', readFileSync(join(dist, 'vitrine.fish')));
  const licences = ['LICENSE', 'THIRD-PARTY-NOTICES.txt'].map((file) =>
    readFileSync(join(root, file), 'utf8'),
  );
  add('usr/share/doc/vitrine/copyright', licences.join('\n'));
  for (const path of documentation)
    cpSync(join(root, path), join(folder, 'usr/share/doc/vitrine', path), { recursive: true });
  add('usr/share/doc/vitrine/README.Debian', readFileSync(join(debian, 'README.md')));
  add('usr/sbin/vitrine-admin', readFileSync(join(debian, 'vitrine-admin')), 0o755);
  add('etc/vitrine.env', readFileSync(join(debian, 'vitrine.env')), 0o600);

  const { size } = Bun.file(join(folder, 'usr/bin/vitrine'));
  add('DEBIAN/control', control({ version, architecture, kilobytes: Math.ceil(size / 1024) }));
  add('DEBIAN/conffiles', '/etc/vitrine.env\n');
  for (const script of scripts) add(`DEBIAN/${script}`, readFileSync(join(debian, script)), 0o755);
  // Takes a tenth of the time of xz; Debian 12 and Ubuntu 22.04 read it.
  await Bun.$`dpkg-deb -Zzstd -z10 --root-owner-group --build ${folder} ${join(dist, file)}`.quiet();
}

const control = ({
  version,
  architecture,
  kilobytes,
}: Pick<DebianPackage, 'version' | 'architecture'> & { readonly kilobytes: number }) => `Package: vitrine
Version: ${version}
Architecture: ${architecture}
Maintainer: The Vitrine authors
Section: web
Priority: optional
Depends: libc6, passwd, util-linux
Installed-Size: ${kilobytes}
Description: gallery server for community projects
 A fast REST API that is compatible with Django REST framework, a browsable
 API, and public pages, on a single SQLite file or on PostgreSQL.
`;
