#!/bin/sh
# Installs the server's dependencies below /app/node_modules, from package-lock.json.
set -eu
cd /app
# Development dependencies are removed first. With --omit=dev alone, npm also installs test programs that are peer
# dependencies of other packages.
npm pkg delete devDependencies --workspaces --include-workspace-root
npm ci --omit=dev --no-audit --no-fund
# A package below packages/NAME/node_modules is hidden by the mount at /app.
nested=$(find packages examples -name node_modules)
if [ -n "$nested" ]; then
  echo "These packages cannot be in the image, because the code is mounted over them: $(echo "$nested" | tr '\n' ' ')" >&2
  echo "Use one version of the dependency in all workspaces, so that npm installs it in the root." >&2
  exit 1
fi
# The image needs no binaries for musl, which npm 9 installs. It needs no headers and manuals (70 MB) from the npm
# package of Node.
rm -rf node_modules/@*/*-musl
rm -rf node_modules/node/node_modules node_modules/.package-lock.json
find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete
sha256sum package-lock.json | cut -d' ' -f1 >package-lock.sha256
