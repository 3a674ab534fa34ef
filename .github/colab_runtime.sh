#!/usr/bin/env bash
# Inside Colab's own runtime image: run the notebooks with the packages that Colab really has.
# Only the runner of the tests is added. jax decides for itself that there is no accelerator.
set -euo pipefail
cd "$(dirname "$0")/.."
version() { grep -h "^$1==" requirements/colab.txt; }
python3 -m pip install --quiet "$(version nbval)" "$(version pytest-xdist)"
python3 -m pip list --format freeze | grep -iE "^(jax|jaxlib|flax|optax|numpy)==" || true
COURSE_LANE=colab PYTHONPATH="$PWD" python3 -m pytest --nbval --nbval-current-env \
  --nbval-sanitize-with tests/nbval-sanitize.cfg --nbval-cell-timeout 900 \
  -n 2 --dist loadscope -q --color=no -rs --tb=short \
  -p coursekit.notebooks.lanes.plugin -p no:cacheprovider -c tests/nbval.ini --rootdir . \
  chapters exercises solutions reference/*.ipynb
